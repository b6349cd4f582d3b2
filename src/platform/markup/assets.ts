import { raw } from 'hono/html';
import names from '../../../dist/names.json';

/**
 * The paths of styles and scripts, by the names of their sources. Each path contains a hash of its file's content, so
 * that caches can keep the file forever.
 */
export const ASSETS = names;

/** The path of the icon in a browser's tab. It is the same on every host. */
export const FAVICON = '/favicon.svg';

export const LOGO_SHAPES =
  '<path d="M3.5 12.5h17a8.5 8.5 0 0 1-17 0z" fill="currentColor"/>' +
  '<path d="M4.7 9.2A8.3 8.3 0 0 1 12.3 3.8" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/>' +
  '<path d="m13.2 9.6 5.3-6" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"/>';

/** The logo: a mortar with its pestle, in the color of the text beside it. */
export const LOGO = raw(`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true">${LOGO_SHAPES}</svg>`);
