/** An LRU cache: keeps so many, and forgets what was longest not asked for. Ours, since a program with one function should not carry a package for it. */
export class RecentlyUsed<K, V> {
  // In the order of use: a Map gives back what was put in first.
  readonly #entries = new Map<K, V>()
  readonly #most: number
  #last: K | undefined

  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    // The same one over and over, as in a row of calls of one tool, is last already.
    if (value === undefined || key === this.#last) return value
    this.#entries.delete(key)
    return this.#put(key, value)
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#put(key, value)
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value as K)
  }

  #put(key: K, value: V): V {
    this.#entries.set(key, value)
    this.#last = key
    return value
  }
}
