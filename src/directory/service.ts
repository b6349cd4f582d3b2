export { emailKey, shardsOf } from './emails';
export { type Entry, reserve } from './reserve';
export { atHost, forgetHost, inOrganization } from './route';
