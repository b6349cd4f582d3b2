/** A scanner sends keys, and the computer makes characters of them: others, where the two disagree about the layout. */

/** What a German keyboard makes of the keys of an American one, and what they were to be. */
const SHOWN = 'yzYZß?-_üÜ+*öÖäÄ#\'´`)=(/&"§;:^°';
const MEANT = 'zyZY-_/?[{]};:\'"\\|=+()*&^@#<>`~';
/** With Caps Lock a German keyboard shifts digits too. */
const LOCKED = '!"§$%&/()=_?';
const UNLOCKED = '1234567890-ß';

const german = lookUp(SHOWN, MEANT);
const unlocked = lookUp(LOCKED, UNLOCKED);

/** The text, and what it may have been before the layout of the keyboard or Caps Lock changed it. */
export function asSent(text: string): string[] {
  const germanUnlocked = mapped(swapCase(text), unlocked);
  return [text, mapped(text, german), swapCase(text), germanUnlocked, mapped(germanUnlocked, german)];
}

function lookUp(from: string, to: string): ReadonlyMap<string, string> {
  const meant = [...to];
  return new Map([...from].map((character, place) => [character, meant[place] as string]));
}

function mapped(text: string, characters: ReadonlyMap<string, string>): string {
  return [...text].map((character) => characters.get(character) ?? character).join('');
}

function swapCase(text: string): string {
  const swapped = (character: string) => {
    const upper = character.toUpperCase();
    return character === upper ? character.toLowerCase() : upper.length === 1 ? upper : character;
  };
  return [...text].map(swapped).join('');
}
