import { Form } from './fields';
import type { View } from './view';

/** The keys that client/keys.js knows, and what each does. Without the script it stays shut, and so does what opens it. */
export function Shortcuts({ view }: { view: View }) {
  const { desk } = view.words.requests;
  return (
    <dialog data-shortcuts={view.hasShortcuts ? 'on' : 'off'} aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{desk.shortcuts}</h2>
      <dl>
        {desk.keys.map(([key, what]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <p class="hint">{desk.keysHint}</p>
      <ShortcutsChoice view={view} />
      <form method="dialog">
        <button type="submit">{desk.close}</button>
      </form>
    </dialog>
  );
}

/** The switch, for this browser alone: it is kept in a cookie that says on or off. */
export function ShortcutsChoice({ view }: { view: View }) {
  const { desk } = view.words.requests;
  return (
    <Form view={view} action="/manage/account/shortcuts">
      <input type="hidden" name="next" value={view.path} />
      <p>{view.hasShortcuts ? desk.keysAreOn : desk.keysAreOff}</p>
      <button type="submit" name="shortcuts" value={view.hasShortcuts ? 'off' : 'on'}>
        {view.hasShortcuts ? desk.turnKeysOff : desk.turnKeysOn}
      </button>
    </Form>
  );
}
