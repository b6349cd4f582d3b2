export { CHECKS } from './check';
export { assertNotLost } from './lost';
export { noteAnswer, noteDeadLetters, noteJob } from './notes';
export { type Health, lookAfterCron, readHealth } from './watch';
