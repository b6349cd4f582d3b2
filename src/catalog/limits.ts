/** What the fields of a product hold, in the catalog as in an organization's own. */
export const P1_ID_MAX = 100;
export const NAME_MAX = 200;
export const SLUG_MAX = 100;
export const DESCRIPTION_MAX = 4000;
export const CATEGORY_MAX = 100;
/** Lower-case letters, digits and single hyphens. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const SLUG_MESSAGE = 'Use lower-case letters, digits and single hyphens.';
