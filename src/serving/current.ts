import { isDeepStrictEqual } from 'node:util'
import { valueAt } from '../config/overlay.js'
import type { Config } from '../config/schema.js'
import { settingsIn } from '../config/settings/setting.js'
import { settings } from '../config/settings/table.js'

/** Told of a configuration that is now in force, and of the one before. */
export type Apply = (now: Config, before: Config) => void | Promise<void>

interface Follower {
  /** Undefined where every reload counts, whatever it changes. */
  readonly places: readonly string[] | undefined
  readonly apply: Apply
}

/**
 * The configuration in force, and the list of who follows which part of it: a reload is that list, gone through in its
 * order. What nobody follows waits for the next start, whatever the table says; a test holds the two against each other.
 */
export class CurrentConfig {
  #atStart: Config
  #now: Config
  readonly #followers: Follower[] = []
  readonly #read = new Set<string>()

  constructor(config: Config) {
    this.#atStart = config
    this.#now = config
  }

  /** What was started with. */
  get atStart(): Config {
    return this.#atStart
  }

  /** Before anybody follows: this is what is started with. */
  startWith(config: Config): void {
    this.#atStart = config
    this.#now = config
  }

  get now(): Config {
    return this.#now
  }

  /** `apply` is called after each reload that changed something at these places: `calls`, `server.limits.keepAliveMs`. */
  follow(places: readonly string[], apply: Apply): void {
    this.#followers.push({ places, apply })
  }

  /** For what must be done at every reload, whatever has changed. */
  followAll(apply: Apply): void {
    this.#followers.push({ places: undefined, apply })
  }

  /** What is read at each use: whoever holds this function need not be told of a change. */
  reading<Value>(places: readonly string[], read: (config: Config) => Value): () => Value {
    for (const place of places) this.#read.add(place)
    return () => read(this.#now)
  }

  /** Read by each process that starts beside this one, so that nothing here has to follow it. */
  readElsewhere(places: readonly string[]): void {
    for (const place of places) this.#read.add(place)
  }

  /** The places that somebody follows or reads at each use. */
  followed(): readonly string[] {
    return [...new Set([...this.#followers.flatMap(({ places = [] }) => places), ...this.#read])]
  }

  /** Puts a configuration into force. One at a time; what a follower throws is thrown when all were told. */
  async change(next: Config): Promise<void> {
    const before = this.#now
    this.#now = next
    const problems: unknown[] = []
    for (const { places, apply } of this.#followers) {
      if (places && !places.some((place) => hasChanged(before, next, place))) continue
      try {
        await apply(next, before)
      } catch (error) {
        problems.push(error)
      }
    }
    if (problems.length > 0) throw problems[0]
  }

  /** The settings whose change since the start waits for the next one. */
  waiting(): readonly string[] {
    return fixedSettings.filter((place) => hasChanged(this.#atStart, this.#now, place))
  }
}

const fixedSettings = settingsIn(settings)
  .filter(({ live }) => !live)
  .map(({ place }) => place)

const hasChanged = (before: Config, now: Config, place: string): boolean => {
  const path = place.split('.')
  return !isDeepStrictEqual(valueAt(before, path), valueAt(now, path))
}
