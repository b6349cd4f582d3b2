/**
 * The one style sheet: custom properties, an 8 px grid, four sizes of text, hairlines. Every colour of text has a
 * contrast of 4.5:1 or more on its ground, in both schemes.
 */
const SOURCE = `
:root {
  color-scheme: light dark;
  --ground: #fafaf8; --panel: #fff; --ink: #1c211e; --quiet: #565e59; --line: #dbdfda; --edge: #8b938d; --hover: #f0f2ee;
  --accent: #0f5c3a; --on-accent: #fff; --accent-hover: #0b482d; --mark: #e3f0e8;
  --good: #0f5c3a; --wait: #8a5200; --bad: #a3231f; --bad-ground: #fcedeb; --wait-ground: #fdf3e0;
  --small: 13px; --text: 15px; --large: 18px; --title: 24px; --radius: 6px; --rail: 208px; --top: 48px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141816; --panel: #1a1f1c; --ink: #e6eae7; --quiet: #a5afa9; --line: #2e3531; --edge: #6f7a74; --hover: #222824;
    --accent: #7fd3a6; --on-accent: #10231a; --accent-hover: #9be0bb; --mark: #1d3a2b;
    --good: #7fd3a6; --wait: #f0b95c; --bad: #ff9b93; --bad-ground: #3a1f1d; --wait-ground: #35290f;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: calc(var(--top) + 16px); }
body { margin: 0; background: var(--ground); color: var(--ink); font: var(--text)/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word; }
h1, h2, p, ul, dl, fieldset, table { margin: 0; padding: 0; border: 0; }
h1 { font-size: var(--title); line-height: 32px; font-weight: 600; margin-bottom: 16px; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: var(--large); line-height: 24px; font-weight: 600; margin-bottom: 8px; }
strong { font-weight: 600; }
small { font-size: var(--small); color: var(--quiet); display: block; }
a { color: var(--accent); text-underline-offset: 3px; }
code { font: var(--small)/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
p { max-width: 68ch; margin-bottom: 16px; }
.quiet, .hint { color: var(--quiet); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; top: 8px; z-index: 3; padding: 8px 16px; background: var(--accent); color: var(--on-accent); border-radius: var(--radius); }
.skip:focus { left: 8px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
main:focus, [data-focus]:focus { outline: none; }

/* Frame */
.top { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: var(--top); padding: 0 24px; background: var(--panel); border-bottom: 1px solid var(--line); }
.brand { font-weight: 600; color: var(--ink); text-decoration: none; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.tools { display: flex; align-items: center; gap: 16px; flex: none; }
.frame { display: grid; grid-template-columns: var(--rail) minmax(0, 1fr); }
.rail { position: sticky; top: var(--top); align-self: start; height: calc(100vh - var(--top)); overflow: auto; padding: 16px 8px; border-right: 1px solid var(--line); }
.rail ul { list-style: none; }
.rail li { margin-bottom: 2px; }
.rail ul ul { margin: 2px 0 8px 12px; padding-left: 8px; border-left: 1px solid var(--line); }
.rail a { display: flex; justify-content: space-between; gap: 8px; padding: 6px 12px; border-radius: var(--radius); color: var(--ink); text-decoration: none; }
.rail a:hover { background: var(--hover); }
.rail a[aria-current] { font-weight: 600; }
.rail a[aria-current=page] { background: var(--mark); color: var(--accent); }
.count { font-variant-numeric: tabular-nums; color: var(--quiet); font-weight: 400; }
main { padding: 24px; min-width: 0; max-width: 1360px; }
main.narrow { max-width: 448px; margin: 0 auto; padding: 48px 24px; }

/* Buttons */
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 36px; padding: 0 16px; font: inherit; font-weight: 600; color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: var(--radius); text-decoration: none; cursor: pointer; white-space: nowrap; }
button:hover, .button:hover { background: var(--hover); }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.primary:hover { background: var(--accent-hover); }
button.danger { background: var(--bad-ground); border-color: var(--bad); color: var(--bad); }
button.plain { min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400; text-decoration: underline; text-underline-offset: 3px; }
button:disabled { opacity: .5; cursor: default; }
[hidden] { display: none !important; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }

/* Forms */
.field { margin-bottom: 16px; min-width: 0; }
label, legend { display: block; font-weight: 600; padding: 0; }
.hint { font-size: var(--small); margin-bottom: 4px; }
input:not([type=radio], [type=checkbox]), select, textarea { width: 100%; min-height: 36px; padding: 6px 10px; font: inherit; color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: var(--radius); }
input[readonly] { background: var(--hover); border-color: var(--line); }
.field > input, .field > select { margin-top: 4px; }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: -1px; border-radius: var(--radius); }
.choice { display: flex; gap: 8px; padding: 6px 0; font-weight: 400; cursor: pointer; }
.choice input { flex: none; width: 18px; height: 18px; margin: 2px 0 0; accent-color: var(--accent); }
.wrong { padding-left: 12px; border-left: 3px solid var(--bad); }
.fault { color: var(--bad); font-weight: 600; font-size: var(--small); margin: 0 0 4px; }
[aria-invalid] { border-color: var(--bad) !important; }
.summary { padding: 12px 16px; margin-bottom: 24px; border: 1px solid var(--bad); border-left-width: 4px; border-radius: var(--radius); background: var(--bad-ground); max-width: 68ch; }
.summary h2 { font-size: var(--text); margin: 0; }
.summary ul { list-style: none; }
.summary a { display: inline-block; min-height: 24px; color: var(--bad); font-weight: 600; }
.flash { padding: 8px 16px; margin-bottom: 16px; border: 1px solid var(--good); border-left-width: 4px; border-radius: var(--radius); background: var(--mark); max-width: 68ch; }
.decided { margin-bottom: 32px; border-color: var(--edge); background: none; }
.note { border-color: var(--wait); background: var(--wait-ground); }
.note a { color: var(--accent); }
.note > :last-child { margin: 0; }
.wide { max-width: 720px; }
.inline { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.inline select { width: auto; max-width: 100%; min-height: 32px; padding: 2px 8px; }
.inline button { min-height: 32px; padding: 0 12px; font-weight: 400; }
.inline .fault { flex-basis: 100%; margin: 0; contain: inline-size; }
.copy { display: flex; gap: 8px; }
.copy input { font: var(--small)/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; min-width: 0; }
.once { margin-bottom: 8px; }
.once .hint { color: var(--wait); font-weight: 600; }

/* Menus */
.menu { position: relative; }
.menu summary { display: flex; align-items: center; gap: 6px; min-height: 36px; list-style: none; cursor: pointer; }
.menu summary::-webkit-details-marker { display: none; }
.menu summary::after { content: ""; width: 7px; height: 7px; margin-top: -4px; border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
.menu .name { max-width: 20ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.menu .card { position: absolute; right: 0; top: 100%; min-width: 224px; max-width: min(320px, calc(100vw - 32px)); padding: 16px; background: var(--panel); border: 1px solid var(--edge); border-radius: var(--radius); overflow-wrap: anywhere; }
.menu .card > * { display: block; margin-bottom: 12px; }
.menu .card > :last-child { margin: 0; padding-top: 12px; border-top: 1px solid var(--line); }

/* Content */
form + p { margin-top: 24px; }
.two-columns { display: grid; grid-template-columns: minmax(0, 1fr) 344px; gap: 24px; align-items: start; }
.two-columns > aside { position: sticky; top: calc(var(--top) + 24px); }
.panel, .sections > section { padding: 16px; margin-bottom: 16px; background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius); }
.panel > :last-child, section > :last-child, .panel form > :last-child { margin-bottom: 0; }
.sections { max-width: 560px; }
dl { display: grid; grid-template-columns: minmax(96px, max-content) minmax(0, 1fr); gap: 4px 24px; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
section > dl { margin-bottom: 12px; }
table { width: 100%; border-collapse: collapse; }
th { position: sticky; top: var(--top); z-index: 1; height: 40px; padding: 0 16px 0 0; background: var(--ground); border-bottom: 1px solid var(--edge); text-align: left; font-size: var(--small); font-weight: 600; color: var(--quiet); white-space: nowrap; }
td { height: 40px; padding: 8px 16px 8px 0; border-bottom: 1px solid var(--line); vertical-align: middle; overflow-wrap: anywhere; }
td:last-child, th:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.actions { text-align: right; white-space: nowrap; }
td .inline { min-width: max-content; }
td:first-child { min-width: 160px; }
.actions form { display: inline-block; margin-bottom: 4px; }
.actions * + a { margin-left: 8px; }
.chip { display: inline-flex; align-items: center; gap: 6px; font-size: var(--small); line-height: 20px; font-weight: 400; white-space: nowrap; }
.chip::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: currentColor; }
.chip.good { color: var(--good); } .chip.wait { color: var(--wait); } .chip.bad { color: var(--bad); } .chip.quiet { color: var(--quiet); }
.chip.quiet::before { background: none; border: 1.5px solid currentColor; }
td.day { white-space: nowrap; }
/* The first kind needs no rights of its own. */
.key-form:has(#kind:checked) .api-only { display: none; }
.qr { width: 200px; padding: 8px; margin-bottom: 16px; background: #fff; border: 1px solid var(--line); border-radius: var(--radius); }
.qr svg { display: block; width: 100%; height: auto; }
.secret { display: inline-block; user-select: all; }
.codes { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(120px, 1fr)); gap: 4px 16px; margin-bottom: 16px; }

/* Order requests */
.tabs { display: flex; flex-wrap: wrap; gap: 4px 24px; margin-bottom: 16px; border-bottom: 1px solid var(--line); }
.tabs a { padding: 8px 0; color: var(--ink); text-decoration: none; }
.tabs a[aria-current] { font-weight: 600; box-shadow: inset 0 -2px var(--accent); }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 8px; margin-bottom: 8px; }
.filters .field { flex: 0 1 320px; margin: 0; }
.inbox td:first-child { min-width: 96px; }
.inbox td:not(.number) { max-width: 200px; } .inbox .chip, .orders td { overflow-wrap: normal; } .inbox td:last-child { white-space: normal; } .inbox td:last-child .chip { white-space: normal; }
.clip { display: block; max-width: 100%; text-align: left; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.facts { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 24px; max-width: none; margin-bottom: 16px; overflow-wrap: anywhere; }
.pdf { width: 100%; height: min(80vh, 960px); border: 1px solid var(--line); border-radius: var(--radius); }
.review aside { max-height: calc(100vh - var(--top) - 48px); overflow: auto; }
.findings { list-style: none; }
.findings:empty { display: none; }
.review p.number { max-width: none; }
.review th { position: static; background: none; }
.findings li { margin-bottom: 8px; overflow-wrap: anywhere; }
.findings .chip { white-space: normal; }
.line { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: end; gap: 0 8px; padding: 8px 0; border-top: 1px solid var(--line); }
.matched { grid-column: 1 / -1; margin-bottom: 8px; font-weight: 400; overflow-wrap: anywhere; } .item { color: var(--ink); }
.total { grid-column: 1 / -1; } .asked td { white-space: normal; vertical-align: top; }
.line legend { float: left; grid-column: 1 / -1; overflow-wrap: anywhere; }
.line .field { margin-bottom: 8px; }
.line .field:has([data-picker]) { grid-column: 1 / -1; }
.line label { font-weight: 400; font-size: var(--small); }
.fold summary { min-height: 32px; font-weight: 600; cursor: pointer; }
pre { margin: 0 0 16px; padding: 12px; overflow: auto; background: var(--hover); border-radius: var(--radius); font: var(--small)/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }

/* At the counter: search, count, keys, news */
.find { flex: 0 1 400px; } .find input { min-height: 32px; }
.rail .waiting { color: var(--accent); font-weight: 600; font-size: var(--small); line-height: 24px; }
.after { margin-top: 32px; }
main tbody tr { scroll-margin: 48px 0 8px; }
main tbody tr:focus-within { background: var(--mark); }
.news:not(:empty) { position: fixed; bottom: 24px; left: 50%; translate: -50%; z-index: 2; display: flex; align-items: center; gap: 16px; padding: 8px 16px; border: 1px solid var(--accent); border-radius: var(--radius); background: var(--mark); white-space: nowrap; }
dialog { width: min(480px, calc(100vw - 32px)); padding: 24px; color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: var(--radius); }
dialog::backdrop { background: rgb(0 0 0 / .4); }
dialog dl { margin-bottom: 16px; } kbd { font: inherit; font-weight: 600; color: var(--ink); white-space: nowrap; }

.search-line, .line .choices { grid-column: 1 / -1; margin: 0 0 8px; font-size: var(--small); }
.choices { display: grid; gap: 4px; list-style: none; }
.choices button { justify-content: flex-start; height: auto; padding: 4px 12px; text-align: left; white-space: normal; font-weight: 400; overflow-wrap: anywhere; }
.choices li { padding: 4px 12px; border: 1px solid var(--line); border-radius: var(--radius); cursor: pointer; overflow-wrap: anywhere; }
.choices li:is(:hover, [aria-selected=true]) { background: var(--mark); border-color: var(--accent); }

/* Orders */
.filter { margin-bottom: 16px; }
.chips { display: inline-flex; flex-wrap: wrap; gap: 0 12px; }
.orders td:first-child { min-width: 0; white-space: nowrap; font-variant-numeric: tabular-nums; }
.orders .cut { max-width: 220px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pager { display: flex; flex-wrap: wrap; align-items: center; gap: 24px; margin-top: 16px; }
.lines th, .sheet th { position: static; background: none; }
.lines tfoot :is(th, td) { border-bottom: 0; }
.steps { display: grid; gap: 8px; margin-bottom: 16px; }
aside .panel { display: grid; gap: 12px; }
aside .panel > * { margin: 0; }
aside dl { gap: 4px 16px; }
.flags form:not(:has(.field)) { display: inline; }
.history { list-style: none; margin: 0; padding: 0; }
.history li { display: grid; grid-template-columns: 128px minmax(0, 1fr); gap: 8px; padding: 8px 0; border-top: 1px solid var(--line); }
.history li:first-child { border: 0; }
.history time { color: var(--quiet); }
.sheet { max-width: 800px; margin: 0 auto; }
.sheet section { margin-bottom: 24px; }

/* Log and reports */
.short .field { flex: 0 1 176px; }
a.ink { color: inherit; text-decoration: none; } a.ink:hover { text-decoration: underline; }
.short :is(input, select) { height: 38px; }
.beside { white-space: nowrap; margin-left: 8px; font-size: var(--small); color: var(--quiet); }
.log td:nth-child(-n+3) { min-width: 136px; } .log td:nth-child(4) { min-width: 208px; }
.figures { grid-template-columns: repeat(auto-fit, minmax(208px, 1fr)); gap: 16px; margin: 16px 0 24px; }
.figures > div { padding: 16px; background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius); }
.figures dd { font-size: var(--title); line-height: 32px; font-weight: 600; font-variant-numeric: tabular-nums; }
.figures small { font-weight: 400; line-height: 20px; }
.chart { margin: 0 0 24px; }
.chart svg { display: block; width: 100%; height: 120px; margin-top: 8px; border-bottom: 1px solid var(--edge); fill: var(--accent); }
.chart rect:hover { fill: var(--accent-hover); }
.ends { display: flex; justify-content: space-between; max-width: none; margin: 4px 0 0; color: var(--quiet); font-size: var(--small); }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 360px), 1fr)); gap: 0 16px; align-items: start; }
.lines tbody th { height: 40px; padding: 8px 16px 8px 0; font: inherit; color: inherit; white-space: normal; overflow-wrap: anywhere; border-bottom: 1px solid var(--line); }

/* Products */
.products td:first-child { max-width: 280px; }
.products .spare { max-width: 136px; }
.products th small, .matrix th small { font-weight: 400; white-space: normal; }
.filters .button { margin-left: auto; }
td .stock-form { min-width: 200px; } .stock-form select { width: 128px; }
.stock-form .short { width: 64px; } .stock-form .long { width: 144px; }
.stock-form .fault { flex-basis: 0; min-width: 100%; }
.rx { padding: 0 4px; border: 1px solid currentColor; border-radius: 3px; font-weight: 600; }
.saved { display: none; color: var(--good); } tr:target .saved { display: block; }
tr:target td { background: var(--mark); }
.scroll { position: relative; overflow-x: auto; }
.matrix { width: auto; min-width: 100%; }
.matrix :is(th, td) { position: static; height: auto; min-width: 136px; max-width: 200px; padding: 8px 16px 8px 0; background: none; vertical-align: top; white-space: normal; }
.matrix th:first-child { position: sticky; top: auto; left: 0; min-width: 112px; background: var(--panel); border-right: 1px solid var(--line); }
.matrix tbody th { border-bottom: 1px solid var(--line); }
.matrix :is(td, thead th + th) { padding-left: 16px; }
.said { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; }
.names { margin: 0 0 16px 20px; }
.matrix .plain { font-size: var(--small); }

@media (max-width: 1199px) {
  .decide-first > aside { order: -1; }
  .products .spare { display: none; }
  .two-columns { grid-template-columns: minmax(0, 1fr); }
  .two-columns > aside { position: static; }
  .review aside { max-height: none; }
}
@media (min-width: 800px) { .stock-form input { min-height: 32px; padding: 2px 8px; } }
@media (min-width: 1200px) { td .stock-form { min-width: max-content; } }
@media (min-width: 800px) and (max-width: 1199px) { main { padding: 24px 16px; } .extra { display: none; } .inbox :is(th, td) { padding-right: 8px; } .inbox td:not(.number) { max-width: 152px; } }
@media (max-width: 799px) {
  .top { position: static; flex-wrap: wrap; gap: 0 16px; padding: 0 16px 8px; }
  .brand { flex: 1 1 0; } .find { order: 3; flex-basis: 100%; }
  .frame { display: block; }
  .rail { position: static; height: auto; padding: 8px; border: 0; border-bottom: 1px solid var(--line); overflow-x: auto; }
  .rail ul { display: flex; flex-wrap: wrap; gap: 4px; }
  .rail ul ul { flex-basis: 100%; margin: 4px 0 0; padding: 4px 0 0; border: 0; }
  .rail a { min-height: 40px; align-items: center; white-space: nowrap; }
  main { padding: 16px 16px 48px; }
  main.narrow { padding: 24px 16px; }
  button:not(.plain), .button, input:not([type=radio], [type=checkbox]), select, .inline select, .inline button { min-height: 44px; }
  form > .primary { width: 100%; }
  .lines { font-size: var(--small); } .lines .chip { white-space: normal; } .lines :is(th, td) { padding-right: 8px; } .lines td:first-child { min-width: 0; }
  .cards, .cards tbody, .cards tr, .cards td { display: block; height: auto; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards tr { padding: 12px 0; border-bottom: 1px solid var(--line); }
  .cards td { padding: 4px 0; border: 0; text-align: left; }
  .inbox td[data-label] { display: grid; grid-template-columns: 112px minmax(0, 1fr); } .inbox td small { grid-column: 2; }
  .cards td:empty { display: none; }
  .inbox td:not(.number) { max-width: none; }
  .cards td[data-label]::before { content: attr(data-label); display: block; font-size: var(--small); color: var(--quiet); }
  .orders td[data-label]::before { display: inline-block; width: 112px; } .orders .cut { max-width: none; }
  .cards .actions { display: flex; gap: 24px; padding-top: 8px; }
  .actions form { margin: 0; }
  .cards .actions :is(a, button) { display: inline-block; padding: 8px 0; }
}
@media (prefers-contrast: more) { :root { --line: var(--edge); --quiet: var(--ink); } }
@media print {
  :root { color-scheme: light; --ground: #fff; --ink: #000; --quiet: #333; --line: #999; }
  .screen { display: none; } .sheet { padding: 0; max-width: none; }
  .top, .rail, .skip, dialog { display: none; } .frame { display: block; }
}
`;

/** The style sheet without its comments and the blanks that only its readers need. */
export const STYLES = SOURCE.replaceAll(/\/\*.*?\*\/\n/g, '')
  .replaceAll(' { ', '{')
  .replaceAll('; }', '}');
