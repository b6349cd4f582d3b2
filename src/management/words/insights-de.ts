export const insightsDe = {};
