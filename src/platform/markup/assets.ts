import names from '../../../dist/names.json';

/** Paths of styles and scripts, by the names of their sources. Each holds a hash of its content, so caches keep it for ever. */
export const ASSETS = names;

/** The picture of a tab, on every host. */
export const FAVICON = '/favicon.svg';
