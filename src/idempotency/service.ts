export { type Answer, answerOnce, type KeyedRequest } from './answer-once';
export { emptyAnswers } from './store';
