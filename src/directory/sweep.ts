export { sweepLeft, sweepMoves } from './move/sweep';
