import { MESSAGE_KINDS, type MessageKind } from './tables';

export function isMessageKind(kind: string): kind is MessageKind {
  return MESSAGE_KINDS.some((each) => each === kind);
}
