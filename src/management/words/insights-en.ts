import type { insightsDe } from './insights-de';

export const insightsEn: typeof insightsDe = {};
