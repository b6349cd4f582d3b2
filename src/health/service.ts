export { CHECKS } from './check';
export { noteAnswer, noteDeadLetters } from './notes';
export { type Health, lookAfterCron, readHealth } from './watch';
