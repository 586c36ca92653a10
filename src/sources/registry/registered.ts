import { GatewayError } from '../../errors.js'
import { ownedName, type ToolSpec } from '../../model/tool.js'
import type { Source, SourceUpdate, ToolProblem } from '../source.js'

/** Where registered definitions survive: each promise resolves once the change is on disk. */
export interface Keeping {
  save(specs: readonly ToolSpec[]): Promise<void>
  delete(key: string): Promise<void>
}

export interface RegisteredOptions {
  /** Default: nowhere, they live as long as the process. */
  readonly keeping?: Keeping | undefined
  /** Names inside the namespace of a source: what was registered under one is not shown while the source is there. */
  readonly isTaken?: ((name: string) => boolean) | undefined
}

/**
 * Definitions that somebody registered: found like any other, run by nobody here. A key is the name, with its owner behind
 * an `@` where it has one.
 */
export interface RegisteredSource extends Source {
  /** Resolves when they are kept, and only then are they found; all of them or none. TOOL_CONFLICT for a key that is taken. */
  add(specs: readonly ToolSpec[]): Promise<void>
  /** Resolves when it is gone for good; false if there was none. */
  remove(key: string): Promise<boolean>
  has(key: string): boolean
  /** Lists one at once, in the place of what has its key: for whoever keeps it elsewhere. */
  put(spec: ToolSpec): void
  /** Takes one away at once; false if there was none. */
  drop(key: string): boolean
  /** What others changed meanwhile where it is kept, as it is there now. */
  follow(changed: readonly ToolSpec[], gone: readonly string[]): readonly ToolProblem[]
  /** What an earlier run kept, in as many parts as there are; the last one says so. */
  bring(specs: readonly ToolSpec[], isLast: boolean): void
  /** Resolves when everything from earlier runs is here: until then nothing can be said to be absent. */
  readonly whole: Promise<void>
  readonly isWhole: boolean
  /** Asks again which names are taken. */
  refresh(): void
}

/** `later` for definitions that come in parts, by `bring`. */
export const createRegisteredSource = (
  known: readonly ToolSpec[] | 'later' = [],
  { keeping, isTaken = () => false }: RegisteredOptions = {},
): RegisteredSource => {
  const specs = new Map<string, ToolSpec>()
  // Keys whose change is on its way to the disk: a second change of one would cross it there.
  const changing = new Set<string>()
  // What others made of those meanwhile, and what they took away before it was read from earlier runs: undefined is gone.
  const meanwhile = new Map<string, ToolSpec | undefined>()
  const takenAway = new Set<string>()
  let report: ((update: SourceUpdate) => readonly ToolProblem[]) | undefined
  let arrived = () => {}
  let isWhole = known !== 'later'
  const whole = new Promise<void>((resolve) => {
    arrived = resolve
  })

  const isShown = ({ definition, owner }: ToolSpec): boolean => owner !== undefined || !isTaken(definition.name)
  const take = (added: readonly ToolSpec[]): readonly ToolSpec[] => {
    const here = added.map((spec): ToolSpec => ({ ...spec, definitionOnly: true }))
    for (const spec of here) specs.set(keyOf(spec), spec)
    return here
  }
  const show = (added: readonly ToolSpec[]): readonly ToolProblem[] =>
    report?.({ type: 'change', changed: added.filter(isShown), removed: [] }) ?? []
  const hide = (keys: readonly string[]): void => {
    for (const key of keys) specs.delete(key)
    report?.({ type: 'change', changed: [], removed: keys })
  }
  const held = async <T>(keys: readonly string[], work: () => Promise<T>): Promise<T> => {
    const busy = keys.find((key) => changing.has(key))
    if (busy !== undefined) throw conflict(busy)
    for (const key of keys) changing.add(key)
    let isDone = false
    try {
      const result = await work()
      isDone = true
      return result
    } finally {
      for (const key of keys) changing.delete(key)
      // What was told before our change was done is older than it.
      if (isDone) for (const key of keys) meanwhile.delete(key)
      else takeUp(keys.filter((key) => meanwhile.has(key)))
    }
  }
  const follow = (changed: readonly ToolSpec[], gone: readonly string[]): readonly ToolProblem[] => {
    for (const spec of changed) if (changing.has(keyOf(spec))) meanwhile.set(keyOf(spec), spec)
    for (const key of gone) if (changing.has(key)) meanwhile.set(key, undefined)
    if (!isWhole) for (const key of gone) takenAway.add(key)
    const left = gone.filter((key) => specs.has(key) && !changing.has(key))
    if (left.length > 0) hide(left)
    const come = changed.filter((spec) => !changing.has(keyOf(spec)))
    return come.length > 0 ? show(take(come)) : []
  }
  const takeUp = (keys: readonly string[]): void => {
    const told = keys.map((key) => [key, meanwhile.get(key)] as const)
    for (const key of keys) meanwhile.delete(key)
    follow(
      told.flatMap(([, spec]) => spec ?? []),
      told.flatMap(([key, spec]) => (spec ? [] : [key])),
    )
  }

  const add = async (added: readonly ToolSpec[]): Promise<void> => {
    const keys = added.map(keyOf)
    const taken = keys.find((key, index) => specs.has(key) || keys.indexOf(key) < index)
    if (taken !== undefined) throw conflict(taken)
    await held(keys, async () => {
      await keeping?.save(added)
      const [problem] = show(take(added))
      if (!problem) return
      hide(keys)
      for (const key of keys) await keeping?.delete(key)
      throw problem.error
    })
  }

  if (known !== 'later') {
    take(known)
    arrived()
  }
  return {
    kind: 'registered',
    add,
    remove: async (key) => {
      if (!specs.has(key)) return false
      return held([key], async () => {
        await keeping?.delete(key)
        hide([key])
        return true
      })
    },
    has: (key) => specs.has(key),
    put: (spec) => {
      const before = specs.get(keyOf(spec))
      const [problem] = show(take([spec]))
      if (!problem) return
      if (before) take([before])
      else specs.delete(keyOf(spec))
      throw problem.error
    },
    drop: (key) => {
      if (!specs.has(key)) return false
      hide([key])
      return true
    },
    follow,
    bring: (earlier, isLast) => {
      // What was changed here meanwhile is newer.
      const isNews = (key: string): boolean => !specs.has(key) && !changing.has(key) && !takenAway.has(key)
      show(take(earlier.filter((spec) => isNews(keyOf(spec)))))
      if (!isLast) return
      isWhole = true
      takenAway.clear()
      arrived()
    },
    whole,
    get isWhole() {
      return isWhole
    },
    refresh: () => void report?.({ type: 'all', tools: [...specs.values()].filter(isShown) }),
    watch: async (onTools, signal) => {
      report = onTools
      onTools({ type: 'all', tools: [...specs.values()].filter(isShown) })
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      report = undefined
    },
    call: (name) => {
      throw new GatewayError(
        'TOOL_NOT_CALLABLE',
        `'${name}' is registered as a definition only; mount the server that runs it.`,
        { notSent: true },
      )
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

const keyOf = ({ definition, owner }: ToolSpec): string => ownedName(definition.name, owner)

const conflict = (key: string): GatewayError =>
  new GatewayError('TOOL_CONFLICT', `'${key}' is already registered.`, { details: { tool: key } })
