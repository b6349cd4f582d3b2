import type { settingsDe } from './settings-de';

export const settingsEn: typeof settingsDe = {};
