export { exportChanged, readExported } from './export';
export { type Losses, listLosses, listLostFiles } from './lost';
export { beginRestore, markRestored } from './markers';
export { REPLAY_STEPS, replayJournal } from './replay';
