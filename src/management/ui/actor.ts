import type { Reader } from '../http/language';
import { shortIdOf } from './format';
import { textFor } from './lookup';
import { sharedMessages } from './messages';

/** Who did something, as rows of the audit log and stock movements name them. */
interface Actor {
  /** Null where nobody wrote it down. */
  actorKind: string | null;
  actorId: string | null;
}

/**
 * Who did something, in words: a person by name, a key or the operator by name and what it is; else what it is, with the end of its id.
 * @param names of members and keys, by id
 */
export function actorText(reader: Reader, { actorKind, actorId }: Actor, names: ReadonlyMap<string, string>): string {
  const kind = textFor(sharedMessages(reader).actors, actorKind ?? 'anonymous');
  if (actorId === null) return kind;
  // An operator's id is the name of its token.
  const name = actorKind === 'operator' ? actorId : names.get(actorId);
  if (name === undefined) return `${kind} ${shortIdOf(actorId)}`;
  return actorKind === 'staff' ? name : `${name} (${kind})`;
}
