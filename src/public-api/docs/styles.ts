/**
 * The one style sheet, inline: the policy names its hash. Colours have a contrast of 4.5:1 or more on both grounds.
 */
export const STYLES = `
:root {
  color-scheme: light dark;
  --ground: #fbfbf9; --ink: #1c211e; --quiet: #575f5a; --accent: #0f5c3a; --on-accent: #fff;
  --line: #dde1dc; --code: #f1f3f0; --mark: #e4f0e8; --red: #a3231f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141816; --ink: #e6eae7; --quiet: #a4aea8; --accent: #7fd3a6; --on-accent: #10231a;
    --line: #2c332f; --code: #1b211e; --mark: #1d3a2b; --red: #ff9b93;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 64px; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-underline-offset: 3px; }
a:focus-visible, summary:focus-visible, pre:focus-visible, main:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
code, pre { font: 13px/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p code, li code { overflow-wrap: anywhere; }
p, ul { margin: 0 0 16px; max-width: 72ch; }
main ul { padding-left: 20px; }
main li { margin-bottom: 8px; }
h1, h2, h3, h4 { line-height: 1.25; font-weight: 600; text-wrap: balance; }
h1 { font-size: 28px; margin: 0 0 16px; }
h2 { font-size: 20px; margin: 56px 0 16px; }
h3 { font-size: 16px; margin: 32px 0 8px; }
h4 { font-size: 13px; margin: 24px 0 8px; color: var(--quiet); }

.skip { position: absolute; left: -999px; top: 8px; padding: 8px 16px; background: var(--accent); color: var(--on-accent); z-index: 3; }
.skip:focus { left: 8px; }
header { position: sticky; top: 0; z-index: 2; height: 48px; padding: 0 24px; display: flex; align-items: center; justify-content: space-between; gap: 16px; background: var(--ground); border-bottom: 1px solid var(--line); }
.brand { font-weight: 600; color: var(--ink); text-decoration: none; }
.brand span { color: var(--quiet); font-weight: 400; }

.frame { display: grid; grid-template-columns: 256px minmax(0, 1fr); max-width: 1440px; margin: 0 auto; }
.rail { position: sticky; top: 48px; height: calc(100vh - 48px); overflow: auto; padding: 24px 16px 24px 24px; border-right: 1px solid var(--line); }
nav ul { list-style: none; margin: 0; padding: 0; }
.chapters a { font-weight: 600; color: var(--ink); }
nav a { display: block; font-size: 14px; padding: 3px 8px; border-radius: 6px; color: var(--quiet); text-decoration: none; }
nav a:hover { color: var(--ink); background: var(--code); }
nav a[aria-current] { background: var(--mark); color: var(--accent); }
nav p { margin: 16px 0 0; padding: 3px 8px; font-size: 13px; font-weight: 600; }
main { padding: 40px 40px 96px; min-width: 0; }
.menu { display: none; border-bottom: 1px solid var(--line); padding: 0 16px; }
.menu summary { padding: 12px 0; cursor: pointer; font-weight: 600; }

.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 460px); column-gap: 40px; padding: 32px 0; border-top: 1px solid var(--line); }
.operation > h3, .operation > .endpoint { grid-column: 1 / -1; margin-top: 0; }
.operation > h3 { font-size: 18px; }
.operation > h3 code, h2 code { font-weight: 600; }
.operation > h3 code { font-size: 16px; overflow-wrap: anywhere; }
.endpoint { max-width: none; }
.endpoint code { overflow-wrap: anywhere; }
.try { min-width: 0; }
.method, .status, .required, .place { display: inline-block; font-size: 12px; line-height: 20px; }
.method { padding: 0 8px; margin-right: 4px; border-radius: 6px; font-weight: 600; background: var(--accent); color: var(--on-accent); }
.method.get { background: var(--mark); color: var(--accent); }
.method.delete { background: var(--red); color: var(--ground); }
.status { padding: 0 6px; border: 1px solid var(--line); border-radius: 6px; font-weight: 600; font-variant-numeric: tabular-nums; }
.required { color: var(--accent); font-weight: 600; }
.place, .prefix, .limits, .words { color: var(--quiet); }
.words { font-weight: 400; }
.required, .place { margin-right: 8px; }

table { width: 100%; border-collapse: collapse; margin-bottom: 16px; font-size: 14px; }
th { text-align: left; font-size: 13px; font-weight: 600; color: var(--quiet); }
th, td { padding: 8px 16px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
table { table-layout: fixed; }
.fields th:first-child, .headers th:first-child { width: 36%; }
.fields th:nth-child(2) { width: 22%; }
.errors th:first-child { width: 72px; }
td p { margin: 0; }
td { overflow-wrap: break-word; min-width: 0; }
td p code { overflow-wrap: anywhere; }
.field { overflow-wrap: anywhere; font-weight: 600; }
.field .prefix { font-weight: 400; }
td .field { margin-right: 8px; }
.codes { list-style: none; margin: 0; padding: 0 !important; display: flex; flex-wrap: wrap; gap: 0 16px; max-width: none; }
.codes li { margin: 0; }

.code { margin: 0 0 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--code); min-width: 0; }
.code figcaption { padding: 6px 12px; border-bottom: 1px solid var(--line); font-size: 13px; color: var(--quiet); }
.code pre { margin: 0; padding: 12px; overflow: auto; max-height: 560px; tab-size: 4; }
.code .whole { user-select: all; }

dl { margin: 0 0 16px; }
dt { font-size: 13px; font-weight: 600; color: var(--quiet); }
dd { margin: 0 0 8px; }
.schemes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); gap: 16px; margin-bottom: 24px; }
.schemes section { padding: 16px; border: 1px solid var(--line); border-radius: 6px; }
.schemes h2 { margin: 0 0 12px; font-size: 16px; }
.error { padding: 8px 12px; margin: 0 -12px; border-radius: 6px; }
.error h3, .error p { margin: 0; }
.error h3 a { text-decoration: none; }
.error:target { background: var(--mark); }
:target:is(h2, h3) { color: var(--accent); }

@media (max-width: 1199px) {
  .operation { display: block; }
}
@media (max-width: 839px) {
  header { padding: 0 16px; }
  .frame { display: block; }
  .rail { display: none; }
  .menu { display: block; }
  .menu nav { padding-bottom: 16px; }
  nav a { padding: 8px; }
  main { padding: 24px 16px 64px; }
  h1 { font-size: 24px; }
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 10px 0; border-bottom: 1px solid var(--line); }
  td { padding: 0; border: 0; }
  td:nth-child(2) { color: var(--quiet); }
}
@media print { .rail, .menu, .skip { display: none; } .frame { display: block; } }
`;
