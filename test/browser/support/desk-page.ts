import type { BrowserContext, Page } from 'playwright-core';

const PATH = '/manage/desk-page';

/** A post that the page sent. */
interface Posted {
  to: string;
  fields: Record<string, string>;
}

/** What the page's posts are answered with. */
interface Answer {
  status: number;
  headers?: Record<string, string>;
  bodyOf?: (fields: Posted['fields']) => string;
  /** None: there is no connection. */
  isLost?: boolean;
  /** The answer waits for this. */
  until?: Promise<void>;
}

/**
 * A page of ours with everything that the scripts look for (src/management/client/README.md), whatever the real pages look like, and
 * with the real script. What it posts is answered like a command: with a redirect.
 */
export async function openDeskPage(context: BrowserContext, main: string, shortcuts = 'on') {
  const page = await context.newPage();
  await page.goto('/manage/requests');
  const script = await page.locator('script[src]').getAttribute('src');
  const posts: Posted[] = [];
  const answer: Answer = { status: 204, headers: { Location: `${PATH}?done` } };
  await context.unroute(`**${PATH}**`);
  await context.route(`**${PATH}**`, async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST') {
      const fields = Object.fromEntries(new URLSearchParams(request.postData() ?? ''));
      posts.push({ to: pathname.slice(PATH.length + 1), fields });
      await answer.until;
      if (answer.isLost) return route.abort('internetdisconnected');
      return route.fulfill({ contentType: 'text/html; charset=utf-8', ...answer, body: answer.bodyOf?.(fields) });
    }
    return route.fulfill({ contentType: 'text/html; charset=utf-8', body: htmlOf(main, shortcuts, script ?? '') });
  });
  await page.goto(PATH);
  return { page, posts, answer };
}

function htmlOf(main: string, shortcuts: string, script: string): string {
  return `<!doctype html><html lang="de"><title>Pult</title><script src="${script}" defer></script>
<header><form method="get" action="${PATH}"><input type="search" name="q" data-search="codes" aria-label="Suche"></form></header>
<main>${main}</main><p role="status" data-said></p>
<dialog data-shortcuts="${shortcuts}" data-again="noch einmal Enter" data-unsaved="nicht gespeichert" data-unseen="erst ansehen"
 data-unreached="nicht erreichbar" data-unsent="nicht gesendet" aria-label="Kürzel"><h2 tabindex="-1" autofocus>Kürzel</h2>
 <form method="post" action="${PATH}/off"><button>Ausschalten</button></form><form method="dialog"><button>Schließen</button></form></dialog></html>`;
}

/** The parts of a form of decision: fields, ticks, buttons, notes. */
export const DECISION = `
<p><a href="${PATH}?link" id="link">Zeile</a></p>
<form method="post" action="${PATH}/decide" id="decision">
 <button formaction="${PATH}/check" hidden></button>
 <input name="product" data-scan="pzn" aria-label="Produkt">
 <input name="quantity" inputmode="numeric" value="2" aria-label="Menge">
 <input name="shelf" value="B 7" aria-label="Fach">
 <select name="reason" aria-label="Grund" data-key="r"><option>Bitte wählen<option>1 Rezept<option>4 Zahlung</select>
 <input name="remark" data-note aria-label="Bemerkung" data-key="i">
 <textarea name="note" aria-label="Notiz"></textarea>
 <label><input type="checkbox" name="other" id="other"> Andere Stärke</label>
 <label><input type="checkbox" name="first" data-tick id="first"> bestätigt</label>
 <label><input type="checkbox" name="second" data-tick id="second"> geprüft</label>
 <button data-decide id="decide">Annehmen</button>
</form>`;

/** The text of the element that says what the script wants to tell. */
export const saidOn = (page: Page) => page.locator('[data-said]').innerText();
export const focusedOn = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.id || document.activeElement?.getAttribute('name') || document.activeElement?.tagName,
  );
