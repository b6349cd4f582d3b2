/**
 * A value that is made when it is first asked for, once per isolate. For what takes a millisecond or more and what most requests
 * do not need: made while modules load, it would delay the first request of every isolate.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** As `once`, for each object: what is made of a configuration or a key lasts as long as that. */
export function onceFor<Of extends WeakKey, T extends object>(make: (of: Of) => T): (of: Of) => T {
  const made = new WeakMap<Of, T>();
  return (of) => {
    const known = made.get(of);
    if (known) return known;
    const value = make(of);
    made.set(of, value);
    return value;
  };
}

/** As `onceFor`, for what takes a promise, which is not kept: it belongs to the request that made it. */
export function resolvedOnceFor<Of extends WeakKey, T extends object>(make: (of: Of) => Promise<T>) {
  const made = new WeakMap<Of, T>();
  return async (of: Of): Promise<T> => {
    const known = made.get(of);
    if (known) return known;
    const value = await make(of);
    made.set(of, value);
    return value;
  };
}
