export const CLASSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
