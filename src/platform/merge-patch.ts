/** An object that came as JSON. */
export type JsonObject = { readonly [name: string]: unknown };

/**
 * The target after a JSON Merge Patch (RFC 7396), as SQLite's `json_patch` makes it: members of the patch replace those of the
 * target, objects are merged member by member, and null removes a member.
 */
export function mergePatch(target: object | undefined, patch: object): object {
  const merged = new Map<string, unknown>(Object.entries(target ?? {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergePatch(objectOf(merged.get(name)), value) : value);
  }
  return Object.fromEntries(merged);
}

/** How many objects and lists stand within each other; 0 for a plain value. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Whether two values are the same as JSON, whatever the order of their members. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name as never], right[name as never]))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): object | undefined {
  return isObject(value) ? value : undefined;
}
