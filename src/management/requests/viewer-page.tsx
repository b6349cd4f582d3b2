import { ASSETS } from '../../platform/markup/assets';
import { useReader } from '../http/language';
import { sharedMessages } from '../ui/messages';
import { Icon, type IconName, SYMBOLS } from '../ui/parts';
import { messages } from './messages';

/**
 * The content security policy of the viewer. It allows only the service's own scripts and the decoders of pdf.js, so
 * nothing inside the file can run.
 */
export const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
].join('; ');

/**
 * The page in the frame of a prescription. The script (client/viewer.js) paints the file's pages there.
 * @param id the id of the prescription
 * @param length the number of bytes to show from the start of the file (its signed revision); the whole file if missing
 */
export function ViewerPage({ id, length }: { id: string; length?: number }) {
  const { language } = useReader();
  const { prescriptions: shared } = sharedMessages();
  const t = messages().viewer;
  const file = `/manage/prescriptions/${id}/pdf`;
  const bar = (
    <div class="bar" role="toolbar" aria-label={t.bar}>
      <Tool value="back" icon="up" label={t.back} />
      <span class="page-of">
        <span aria-live="polite"></span>
        <span class="pips" aria-hidden="true"></span>
      </span>
      <Tool value="on" icon="down" label={t.on} />
      <span class="tail">
        <Tool value="smaller" icon="minus" label={t.smaller} />
        <Tool value="larger" icon="plus" label={t.larger} />
        <Tool value="turn" icon="turn" label={t.turn} />
      </span>
    </div>
  );
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{shared.title}</title>
        <link rel="stylesheet" href={ASSETS['manage.css']} />
        <link rel="stylesheet" href={ASSETS['viewer.css']} />
        <script type="module" src={ASSETS['viewer.js']}></script>
      </head>
      <body class="viewer">
        <main
          class="view"
          tabindex={0}
          data-file={file}
          data-length={length}
          data-assets={ASSETS.pdfjs}
          data-page={t.page}
          data-waits={t.waits}
          data-locked={t.locked}
          data-damaged={t.damaged}
          data-unreached={t.unreached}
        >
          <noscript>
            <a href={file} target="_blank" rel="noopener">
              {shared.newTab}
            </a>
          </noscript>
        </main>
        <footer>
          <h1 class="unseen">{shared.title}</h1>
          {bar}
        </footer>
        {SYMBOLS}
      </body>
    </html>
  );
}

function Tool({ value, icon, label }: { value: string; icon: IconName; label: string }) {
  return (
    <button type="button" value={value} title={label} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}
