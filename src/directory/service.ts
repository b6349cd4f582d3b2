export { emailKey, emailKeys, shardsOf } from './emails';
export { copiesFrom, type MoveProgress, moveOrganization, readMove } from './move/move';
export { mostRoom, requireBound } from './placement';
export {
  type Entry,
  isHostTaken,
  isHostTakenElsewhere,
  leadsElsewhere,
  release,
  reserve,
  reserveHost,
} from './reserve';
export { countEmailEntries, rewriteEmailEntries } from './rewrite-emails';
export { atHost, forgetHost, homesOf, inOrganization, settleIn } from './route';
export { isHostListed } from './store';
export { sweepEntries } from './sweep';
