export { watch } from './watch';
