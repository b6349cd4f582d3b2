import { Form } from './fields';
import { Hidden } from './hidden';
import { sharedMessages } from './messages';
import { Facts } from './parts';
import type { View } from './view';

/** What the scripts say (client/page.js), on every page of a signed-in person: the texts are attributes of the list of shortcuts. */
export function ScriptStatus() {
  return <p class="told" role="status" data-said></p>;
}

/** Dialog with the keys of client/keys.js. Without the script the dialog and the button that opens it are hidden. */
export function Shortcuts({ view }: { view: View }) {
  const { shortcuts: t, scripts } = sharedMessages(view);
  const said = Object.fromEntries(Object.entries(scripts).map(([name, text]) => [`data-${name}`, text]));
  return (
    <dialog
      class="dialog"
      data-shortcuts={view.hasShortcuts ? 'on' : 'off'}
      {...said}
      aria-labelledby="shortcuts-title"
    >
      <h2 id="shortcuts-title" tabindex={-1} autofocus>
        {t.title}
      </h2>
      <Facts entries={t.keys.map(([key = '', what]) => [<kbd>{key}</kbd>, what])} />
      <p class="hint">{t.hint}</p>
      <ShortcutsChoice view={view} />
      <form method="dialog">
        <button type="submit">{t.close}</button>
      </form>
    </dialog>
  );
}

/** Switches shortcuts on or off for this browser; a cookie stores it. */
export function ShortcutsChoice({ view }: { view: View }) {
  const { shortcuts: t } = sharedMessages(view);
  return (
    <Form view={view} action="/manage/account/shortcuts">
      <Hidden name="next" value={view.path} />
      <p>{view.hasShortcuts ? t.areOn : t.areOff}</p>
      <button type="submit" name="shortcuts" value={view.hasShortcuts ? 'off' : 'on'}>
        {view.hasShortcuts ? t.turnOff : t.turnOn}
      </button>
    </Form>
  );
}
