export { type Answer, answerOnce } from './answer-once';
export { emptyAnswers } from './store';
