import type { Config } from '../platform/config';
import type { PageLanguage } from '../platform/http/browser';
import { Markup } from '../platform/markup/markup';
import { OutsidePage } from '../platform/markup/outside';
import { START } from './messages';

/** The review of a request, drawn: a prescription, items, a decision. */
const PICTURE = new Markup(
  '<svg viewBox="0 0 440 300" aria-hidden="true">' +
    '<rect fill="var(--panel)" stroke="var(--line)" x="1" y="1" width="438" height="298" rx="14"/>' +
    '<path fill="#0f382b" d="M15 1h25v298H15A14 14 0 0 1 1 285V15A14 14 0 0 1 15 1z"/>' +
    '<rect fill="var(--tint)" x="11" y="20" width="19" height="19" rx="5"/>' +
    '<rect fill="var(--tint)" x="15" y="56" width="11" height="3" rx="1.5"/>' +
    '<rect fill="var(--tint)" x="15" y="76" width="11" height="3" rx="1.5"/>' +
    '<rect fill="var(--tint)" x="15" y="96" width="11" height="3" rx="1.5"/>' +
    '<rect fill="var(--panel)" stroke="var(--line)" x="58" y="22" width="150" height="206" rx="4"/>' +
    '<rect fill="var(--tint)" x="58.5" y="22.5" width="149" height="26"/>' +
    '<rect fill="var(--accent)" x="70" y="32" width="58" height="7" rx="3"/>' +
    '<rect fill="var(--quiet)" x="70" y="66" width="86" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="70" y="80" width="64" height="5" rx="2.5"/>' +
    '<rect fill="var(--quiet)" x="70" y="114" width="112" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="70" y="126" width="76" height="5" rx="2.5"/>' +
    '<rect fill="var(--quiet)" x="70" y="148" width="98" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="70" y="160" width="58" height="5" rx="2.5"/>' +
    '<path d="M140 208c6-18 12-18 12-8s-4 14 2 4 10-12 14-8 6 8 22 2" fill="none" stroke="#2b5ba8" stroke-width="2"/>' +
    '<rect fill="var(--quiet)" x="228" y="26" width="120" height="9" rx="4"/>' +
    '<rect fill="var(--line)" x="228" y="44" width="164" height="5" rx="2.5"/>' +
    '<rect fill="var(--line)" x="228" y="70" width="194" height="1"/>' +
    '<rect fill="var(--quiet)" x="228" y="84" width="132" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="228" y="96" width="80" height="5" rx="2.5"/>' +
    '<rect fill="var(--quiet)" x="394" y="84" width="28" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="228" y="116" width="194" height="1"/>' +
    '<rect fill="var(--quiet)" x="228" y="130" width="112" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="228" y="142" width="92" height="5" rx="2.5"/>' +
    '<rect fill="var(--quiet)" x="394" y="130" width="28" height="6" rx="3"/>' +
    '<rect fill="var(--wait-ground)" stroke="var(--wait-edge)" x="228" y="158" width="194" height="22" rx="5"/>' +
    '<rect fill="var(--quiet)" x="240" y="166" width="90" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="40" y="244" width="399" height="1"/>' +
    '<rect fill="var(--accent)" x="58" y="260" width="22" height="22" rx="5"/>' +
    '<path d="m63 271 5 5 8-9" fill="none" stroke="#fff" stroke-width="2"/>' +
    '<rect fill="var(--quiet)" x="90" y="268" width="70" height="6" rx="3"/>' +
    '<rect fill="var(--accent)" x="228" y="257" width="92" height="28" rx="7"/>' +
    '<rect fill="var(--panel)" stroke="var(--line)" x="328" y="257" width="44" height="28" rx="7"/>' +
    '<rect fill="var(--panel)" stroke="var(--line)" x="380" y="257" width="44" height="28" rx="7"/></svg>',
);

interface StartProps extends Pick<Config, 'imprintUrl' | 'privacyUrl'> {
  language: PageLanguage;
}

/** `/` of the service's own host. */
export function StartPage({ language, imprintUrl, privacyUrl }: StartProps) {
  const words = START[language];
  const foot = (
    <>
      <a href="/healthz">{words.status}</a>
      {imprintUrl && <a href={imprintUrl}>{words.imprint}</a>}
      {privacyUrl && <a href={privacyUrl}>{words.privacy}</a>}
    </>
  );
  return (
    <OutsidePage language={language} title={words.title} isHidden={false} foot={foot}>
      <div class="hero">
        <div>
          <h1>{words.title}</h1>
          <p>{words.lead}</p>
          <p class="acts">
            <a class="button primary" href="/manage">
              {words.signIn}
            </a>
            <a class="button" href="/docs">
              {words.docs}
            </a>
          </p>
        </div>
        {PICTURE}
      </div>
      <div class="trio">
        {words.parts.map(([title, text]) => (
          <section>
            <h2>{title}</h2>
            <p class="quiet">{text}</p>
          </section>
        ))}
      </div>
    </OutsidePage>
  );
}
