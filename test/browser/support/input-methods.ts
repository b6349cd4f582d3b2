import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const TABS_MAX = 200;
const PAUSE_MS = 320;

/** How somebody works with a page. Each waits until its target is there. */
export interface Hands {
  /** A button or a link that stays on the page. */
  press(target: Locator): Promise<void>;
  /** A button or a link that leads to a page, which is there afterwards. */
  follow(target: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** Goes to a target by its letter, where there is one. */
  jump(key: string, target: Locator): Promise<void>;
  /** Ticks a box, or chooses one of a few. */
  tick(box: Locator): Promise<void>;
  /** Chooses from a list by its text. */
  choose(list: Locator, text: string): Promise<void>;
}

export const mouse: Hands = {
  press: (target) => target.click(),
  follow: (target) => arrival(target.page(), () => target.click()),
  async write(field, text) {
    await field.click();
    await field.fill(text);
  },
  jump: (_, target) => target.waitFor(),
  tick: (box) => box.click(),
  choose: async (list, label) => {
    await list.selectOption({ label });
  },
};

/** Tab, Enter, Space and letters: nothing is clicked, nothing gets the focus but by Tab. */
export const keyboard: Hands = {
  async press(target) {
    await reach(target);
    await atEase(target.page());
    await target.page().keyboard.press('Enter');
  },
  follow: (target) => arrival(target.page(), () => keyboard.press(target)),
  async write(field, text) {
    await reach(field);
    const { keyboard: keys } = field.page();
    await keys.press('ControlOrMeta+A');
    await keys.type(text);
  },
  async jump(key, target) {
    await target.waitFor();
    await atEase(target.page());
    await target.page().keyboard.press(key);
    await atEase(target.page());
    if (!(await target.evaluate((element) => element === document.activeElement))) {
      throw new Error(`The key ${key} does not lead to ${target}`);
    }
  },
  async tick(box) {
    const { keyboard: keys } = box.page();
    const group = (await box.getAttribute('type')) === 'radio' && (await box.getAttribute('name'));
    if (!group) {
      await reach(box);
      await atEase(box.page());
      return keys.press('Space');
    }
    // Tab stops once in such a group, the arrows move in it.
    await reach(box, group);
    for (let moves = 0; !(await box.isChecked()); moves++) {
      if (moves > TABS_MAX) throw new Error(`The arrows do not reach ${box}`);
      await keys.press('ArrowDown');
    }
  },
  async choose(list, text) {
    await reach(list);
    await list.page().keyboard.type(text);
  },
};

/** A person's pause: what comes sooner after a character decides nothing (client/guard.js). */
async function atEase(page: Page): Promise<void> {
  await page.waitForTimeout(PAUSE_MS);
}

/** Does what leads to another page, or to new parts of this one, and waits for them, styles and scripts included. */
export async function arrival(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => (document.querySelector('.notices') ?? document.body).setAttribute('data-old', ''));
  await act();
  // Asked from here: where scripts are off, the page gets neither animation frames nor timers.
  await expect
    .poll(() => page.evaluate(() => document.readyState === 'complete' && !document.querySelector('[data-old]')))
    .toBe(true);
}

/** Presses Tab until the target, or one of its group, has the focus, and asks that one can see so. */
async function reach(target: Locator, group?: string): Promise<void> {
  await target.waitFor();
  const { keyboard: keys } = target.page();
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    const focus = await target.evaluate((element, groupName) => {
      const active = document.activeElement;
      if (!active || (active !== element && active.getAttribute('name') !== groupName)) return 'elsewhere';
      // In a list the whole row shows it.
      const shown = [active, active.closest('tr')].some(
        (each) => each && getComputedStyle(each).outlineStyle !== 'none',
      );
      return shown ? 'here' : 'unseen';
    }, group);
    if (focus === 'here') return;
    if (focus === 'unseen') throw new Error(`The focus cannot be seen: ${target}`);
    await keys.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}
