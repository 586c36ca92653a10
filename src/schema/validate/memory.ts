import type { Resource } from './document.js'

/** How long something has taken. A thread that others kept waiting is not blamed for it: only its work counts. */
export class Stopwatch {
  readonly #startedAt = performance.now()
  readonly #usage = process.cpuUsage()

  /** What is left of so many milliseconds. */
  leftOf(milliseconds: number): number {
    const left = milliseconds - (performance.now() - this.#startedAt)
    if (left > 0) return left
    // On a machine with too much to do the clock runs on while we do not. Other threads of ours are in this figure: it
    // may be too high, never too low.
    const { user, system } = process.cpuUsage(this.#usage)
    return milliseconds - (user + system) / 1000
  }
}

/** What a subschema said of a value; `told`: no, and why has been said. */
export type Recalled = boolean | 'told'

/**
 * The resources that a check has entered, each where it was entered first: what lies further in cannot change where
 * `$dynamicRef` leads. Equal ways in are one object, so that what was found out on one is known on the other.
 */
export class Scope {
  readonly resources: readonly Resource[]
  readonly #inner = new Map<Resource, Scope>()
  readonly #verdicts = new Map<object, Map<unknown, Recalled>>()
  readonly #filled = new Map<object, Map<unknown, unknown>>()

  constructor(resources: readonly Resource[]) {
    this.resources = resources
  }

  entering(resource: Resource): Scope {
    const known = this.#inner.get(resource)
    if (known !== undefined) return known
    const inner = this.resources.includes(resource) ? this : new Scope([...this.resources, resource])
    this.#inner.set(resource, inner)
    return inner
  }

  /** What a subschema said of values: the same value is often asked about again where schemas branch. */
  verdictsOf(subschema: object): Map<unknown, Recalled> {
    return at(this.#verdicts, subschema)
  }

  /** What became of values when a subschema's defaults were filled in. */
  filledBy(subschema: object): Map<unknown, unknown> {
    return at(this.#filled, subschema)
  }
}

const at = <V>(tables: Map<object, Map<unknown, V>>, key: object): Map<unknown, V> => {
  const known = tables.get(key)
  if (known !== undefined) return known
  const table = new Map<unknown, V>()
  tables.set(key, table)
  return table
}
