import { setImmediate as nextTurn } from 'node:timers/promises'
import { keepingIn } from '../../catalog/kept-definitions.js'
import { GatewayError } from '../../errors.js'
import { createRegisteredSource, type Keeping, type RegisteredSource } from '../../sources/registry/registered.js'
import type { ToolProblem } from '../../sources/source.js'
import { registeredSource, type Store, type StoredTool, type StoreReader, toSpec } from '../../storage/store.js'

export interface KeptOptions {
  /** Where earlier runs kept them. */
  readonly reader: Pick<StoreReader, 'load' | 'select'>
  /** Where they are kept from now on; `memory` for as long as the process lives, undefined where nothing may be written. */
  readonly store: Store | 'memory' | undefined
  readonly isTaken?: ((name: string) => boolean) | undefined
  /** Told of what others registered and cannot be listed here. */
  readonly onProblems?: ((problems: readonly ToolProblem[]) => void) | undefined
}

export interface KeptRegistered {
  readonly registered: RegisteredSource
  /** Reads the definitions that are seldom used, between other work. Where there are few they are here already. */
  bringRest(): Promise<void>
  /** Reads no more, and follows nobody. */
  close(): void
}

/** The registered definitions of a store: those that are used often at once, the others when they are asked for (002-13). */
export const openRegistered = async (options: KeptOptions): Promise<KeptRegistered> => {
  const { reader, store, isTaken, onProblems = () => {} } = options
  const keeping = store === 'memory' ? undefined : store ? keepingIn(store) : readOnly
  const registered = createRegisteredSource('later', { keeping, isTaken })
  const ending = new AbortController()
  // Before anything is read: what is written meanwhile is told.
  const leave = typeof store === 'object' ? store.follow?.(following(registered, onProblems)) : undefined
  const close = (): void => {
    leave?.()
    ending.abort()
  }
  try {
    return { registered, bringRest: await bringOften(registered, reader, ending.signal), close }
  } catch (error) {
    close()
    throw error
  }
}

/** What others registered, and what they took away or gave to a source. */
const following =
  (registered: RegisteredSource, onProblems: (problems: readonly ToolProblem[]) => void) =>
  (changed: readonly StoredTool[], gone: readonly string[]): void => {
    const others = changed.filter((tool) => !isRegistered(tool)).map(({ id }) => id)
    const problems = registered.follow(changed.filter(isRegistered).map(toSpec), [...gone, ...others])
    if (problems.length > 0) onProblems(problems)
  }

/** So many are no matter at start; more come later, part by part. */
const atOnce = 2048
const partSize = 512

/** Brings what is used often, and the rest too where it is little; else returns how to bring it. */
const bringOften = async (
  registered: RegisteredSource,
  reader: KeptOptions['reader'],
  signal: AbortSignal,
): Promise<() => Promise<void>> => {
  const bring = (tools: readonly StoredTool[], isLast: boolean): void => registered.bring(tools.map(toSpec), isLast)
  if (!reader.select) return bringSlices((await reader.load()).filter(isRegistered), bring, signal)
  for (const temperature of ['hot', 'warm'] as const)
    bring(await reader.select({ source: registeredSource, temperature }), false)
  bring(await reader.select({ source: nobody }), false)
  const cold = { source: registeredSource, temperature: 'cold' } as const
  const first = await reader.select({ ...cold, limit: atOnce })
  bring(first, first.length < atOnce)
  return async () => {
    for (let last = first; last.length > 0; ) {
      await nextTurn()
      if (signal.aborted) return
      last = await reader.select!({ ...cold, after: last.at(-1)!.id, limit: partSize })
      bring(last, last.length === 0)
    }
  }
}

const bringSlices = (
  tools: readonly StoredTool[],
  bring: (tools: readonly StoredTool[], isLast: boolean) => void,
  signal: AbortSignal,
): (() => Promise<void>) => {
  const isOften = ({ temperature }: StoredTool): boolean => temperature !== 'cold'
  const ordered = [...tools.filter(isOften), ...tools.filter((tool) => !isOften(tool))]
  bring(ordered.slice(0, atOnce), ordered.length <= atOnce)
  return async () => {
    for (let from = atOnce; from < ordered.length && !signal.aborted; from += partSize) {
      await nextTurn()
      bring(ordered.slice(from, from + partSize), from + partSize >= ordered.length)
    }
  }
}

/** What an earlier version took over from RegistryTools belongs to no source. */
const nobody = ''

const isRegistered = ({ source }: StoredTool): boolean => source === registeredSource || source === nobody

const refuse = async (): Promise<never> => {
  throw new GatewayError(
    'STORE_WRITE_FAILED',
    'Nothing can be registered here: this process only reads the data folder. Register at the gateway that owns it.',
  )
}

const readOnly: Keeping = { save: refuse, delete: refuse }
