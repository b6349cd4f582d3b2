export { emailKey, shardsOf } from './emails';
export { copiesFrom, type MoveProgress, moveOrganization, readMove } from './move/move';
export { type Entry, reserve } from './reserve';
export { atHost, forgetHost, inOrganization } from './route';
