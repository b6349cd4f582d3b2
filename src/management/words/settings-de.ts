export const settingsDe = {};
