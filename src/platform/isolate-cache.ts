/**
 * Values that an isolate keeps for later requests, the oldest of which go first. Never promises: those belong to the
 * request that made them, and no other may wait for them.
 */
export class IsolateCache<V> {
  readonly #values = new Map<string, { value: V; since: number }>();
  readonly #size: number;
  readonly #lastsMs: number;

  /** @param lastsMs so long a value is used */
  constructor(size: number, lastsMs = Infinity) {
    this.#size = size;
    this.#lastsMs = lastsMs;
  }

  /**
   * @param make is called where the value is not known; may be called twice by two requests at once. Undefined is not kept
   * @param now epoch ms; not needed where values last
   */
  async get<T extends V | undefined>(key: string, make: () => Promise<T>, now = 0): Promise<V | T> {
    const known = this.#values.get(key);
    if (known && now - known.since < this.#lastsMs) return known.value;
    const value = await make();
    if (value === undefined) this.delete(key);
    else this.set(key, value, now);
    return value;
  }

  /** @param now epoch ms; not needed where values last */
  set(key: string, value: V, now = 0): void {
    this.#values.delete(key);
    this.#values.set(key, { value, since: now });
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#size && oldest !== undefined) this.#values.delete(oldest);
  }

  /** The value, however old it is. */
  last(key: string): V | undefined {
    return this.#values.get(key)?.value;
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }
}

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
