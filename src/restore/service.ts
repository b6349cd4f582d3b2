export { type Exported, exportChanged, readExported } from './export';
export { type Losses, listLosses, listLostFiles } from './lost';
export { beginRestore, type Marked, markRestored } from './markers';
export { REPLAY_STEPS, type ReplayedPage, type ReplayStep, replayJournal } from './replay';
