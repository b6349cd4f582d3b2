/**
 * Keeps values in an isolate for later requests. The oldest values are dropped first. Never put promises in it, because
 * a request must not wait for a promise of another request.
 */
export class IsolateCache<V> {
  readonly #values = new Map<string, { value: V; since: number }>();
  readonly #size: number;
  readonly #lastsMs: number;

  /**
   * @param size the most values that are kept
   * @param lastsMs the lifetime of a value, in ms
   */
  constructor(size: number, lastsMs = Infinity) {
    this.#size = size;
    this.#lastsMs = lastsMs;
  }

  /**
   * Returns the cached value of a key, or else a new one.
   * @param make makes the value if it is not cached. Two requests may call it at once. Undefined is not cached
   * @param now epoch ms; not needed if values do not expire
   */
  async get<T extends V | undefined>(key: string, make: () => Promise<T>, now = 0): Promise<V | T> {
    const known = this.#values.get(key);
    if (known && now - known.since < this.#lastsMs) return known.value;
    const value = await make();
    if (value === undefined) this.delete(key);
    else this.set(key, value, now);
    return value;
  }

  /** Like `get`, for a value that does not expire and is made synchronously. */
  made(key: string, make: () => V): V {
    const known = this.#values.get(key);
    if (known) return known.value;
    const value = make();
    this.set(key, value);
    return value;
  }

  /**
   * Caches a value. If there are then too many values, drops the oldest one.
   * @param now epoch ms; not needed if values do not expire
   */
  set(key: string, value: V, now = 0): void {
    this.#values.delete(key);
    this.#values.set(key, { value, since: now });
    if (this.#values.size <= this.#size) return;
    // Read only when the cache is full, because an iterator skips every deleted entry one by one.
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** Returns the cached value, even if it has expired. */
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
 * Returns a function that returns a value. An isolate makes the value once, at the first call. Use it for a value that
 * takes a millisecond or more and that few requests need. If such a value were made while modules load, it would delay
 * the first request of every isolate.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Like `once`, but the function has one value for each object. The value lives as long as the object from which it is
 * made, such as a configuration or a key.
 */
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

/**
 * Like `onceFor`, for a value that is made asynchronously. Only the value is kept. Its promise is not kept, because a
 * promise belongs to the request that made it.
 */
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
