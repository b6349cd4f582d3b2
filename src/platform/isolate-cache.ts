/**
 * Values that an isolate keeps for later requests, the oldest of which go first. Never promises: those belong to the
 * request that made them, and no other may wait for them.
 */
export class IsolateCache<V> {
  readonly #values = new Map<string, V>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** @param make is called where the value is not known; may be called twice by two requests at once */
  async get(key: string, make: () => Promise<V>): Promise<V> {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = await make();
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#size && oldest !== undefined) this.#values.delete(oldest);
    return value;
  }
}
