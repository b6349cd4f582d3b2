export { CHECKS } from './check';
export { assertNotLost } from './lost';
export { noteAnswer, noteDeadLetters } from './notes';
export { type Health, lookAfterCron, readHealth } from './watch';
