import type { View } from './view';

/** The keys that script-keys.ts knows, and what each does. Without the script it stays shut, and so does what opens it. */
export function Shortcuts({ view }: { view: View }) {
  const { desk } = view.words.requests;
  return (
    <dialog data-shortcuts aria-labelledby="shortcuts-title">
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
      <form method="dialog">
        <button type="submit">{desk.close}</button>
      </form>
    </dialog>
  );
}
