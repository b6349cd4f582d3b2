/**
 * A tick that says that a file was checked, `data-seen` with the ids of its frame and of its links, can be set once the frame was
 * at least half in view for a second, or a link has opened the file in a tab of its own.
 */
{
  const LOOKED_AT_MS = 1000;

  /** @type {(tick: HTMLElement) => void} */
  const attach = (tick) => {
    const shows = (tick.dataset.seen ?? '').split(' ').flatMap((id) => document.getElementById(id) ?? []);
    tick.setAttribute('aria-disabled', 'true');
    /** @type {number | undefined} */
    let timer;
    let isHalfInView = false;

    const look = () => {
      clearTimeout(timer);
      if (isHalfInView && !document.hidden) timer = setTimeout(allow, LOOKED_AT_MS);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        isHalfInView = entries.some(({ intersectionRatio }) => intersectionRatio >= 0.5);
        look();
      },
      { threshold: 0.5 },
    );
    function allow() {
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
      tick.removeAttribute('aria-disabled');
      say('', 'unseen');
    }

    for (const shown of shows) {
      if (shown.matches('a')) {
        // A click with the middle button too.
        for (const type of ['click', 'auxclick']) shown.addEventListener(type, allow);
      } else observer.observe(shown);
    }
    document.addEventListener('visibilitychange', look);
    // Stays focusable, so that the page can say why it is not set.
    tick.addEventListener('click', (event) => {
      if (!tick.hasAttribute('aria-disabled')) return;
      event.preventDefault();
      say('unseen');
    });
  };
  for (const tick of elementsOf('input[data-seen]:not(:checked)')) attach(tick);
}
