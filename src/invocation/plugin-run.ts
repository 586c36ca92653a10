import { GatewayError, messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import { type HookName, hookNames, type Plugin, type PluginTerms } from '../model/plugin.js'
import type { Logger } from '../telemetry/logger.js'
import { type Eventually, isPromise } from './passage.js'

export interface PluginRunParts extends PluginTerms {
  readonly name: string
  /** Undefined where it could not be loaded: then every hook fails, for this reason. */
  readonly plugin: Plugin | undefined
  readonly problem?: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** Told of each hook that ran. */
  readonly ran?: ((hook: HookName, outcome: 'ok' | 'failed', ms: number) => void) | undefined
}

/** What one hook has done so far. */
export interface HookCounts {
  calls: number
  errors: number
  /** Milliseconds, waiting included. */
  spentMs: number
}

const tellMs = 60_000
const defaultMs = 50

/** A plugin at work: its hooks within their time, what they throw kept from everybody else, and all of it counted. */
export class PluginRun {
  readonly name: string
  readonly hooks: readonly HookName[]
  readonly problem: string | undefined
  readonly onError: 'skip' | 'refuse'
  readonly #parts: PluginRunParts
  readonly #counts = new Map<HookName, HookCounts>()
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(parts: PluginRunParts) {
    const { name, plugin, problem, onError = 'skip' } = parts
    this.#parts = parts
    this.name = name
    this.problem = problem
    this.onError = onError
    // One that cannot be loaded stands before calls only where they are to be refused.
    const missing: readonly HookName[] = onError === 'refuse' ? ['beforeCall'] : []
    this.hooks = plugin ? hookNames.filter((hook) => typeof plugin[hook] === 'function') : missing
  }

  has(hook: HookName): boolean {
    return this.hooks.includes(hook)
  }

  /** What each hook did. */
  counts(): Readonly<Partial<Record<HookName, Readonly<HookCounts>>>> {
    return Object.fromEntries([...this.#counts].map(([hook, counts]) => [hook, { ...counts }]))
  }

  /**
   * What the hook says, read by `read`, which throws for what makes no sense; undefined where it fails and that is to be
   * passed over. Throws where that is to refuse the call. `mayWait` is false for who cannot.
   */
  run<Said, Read>(
    hook: HookName,
    ask: (plugin: Plugin) => Eventually<Said>,
    read: (said: Awaited<Said>) => Read,
    mayWait = true,
  ): Eventually<Read | undefined> {
    const { plugin, problem, clock } = this.#parts
    if (!plugin) return this.#failed(hook, 0, new Error(problem))
    const began = clock.now()
    const took = (): number => clock.now() - began
    const done = (said: Awaited<Said>): Read | undefined => {
      try {
        const made = read(said)
        this.#count(hook, 'ok', took())
        return made
      } catch (error) {
        return this.#failed(hook, took(), error)
      }
    }
    try {
      const said = ask(plugin)
      if (!isPromise(said)) return done(said as Awaited<Said>)
      if (!mayWait) {
        said.catch(() => {})
        throw new Error('it answered with a promise where nobody can wait')
      }
      return this.#inTime(said).then(
        (value) => done(value as Awaited<Said>),
        (error) => this.#failed(hook, took(), error),
      )
    } catch (error) {
      return this.#failed(hook, took(), error)
    }
  }

  #inTime<Said>(said: Promise<Said>): Promise<Said> {
    const { clock, timeoutMs = defaultMs } = this.#parts
    return new Promise((resolve, reject) => {
      const cancel = clock.after(timeoutMs, () => reject(new Error(`it took longer than ${timeoutMs} ms`)), true)
      said.then(
        (value) => {
          cancel()
          resolve(value)
        },
        (error) => {
          cancel()
          reject(error)
        },
      )
    })
  }

  /** Nothing where it is passed over. */
  #failed(hook: HookName, ms: number, error: unknown): undefined {
    this.#count(hook, 'failed', ms)
    this.#tell(hook, error)
    if (this.onError === 'skip' || hook === 'onEvent' || hook === 'onList') return undefined
    throw new GatewayError(
      'PLUGIN_FAILED',
      `The plugin '${this.name}' failed, and no call passes without it. An operator looks at: pegboard plugins`,
      // After the call the tool may have acted.
      { details: { plugin: this.name, hook }, cause: error, notSent: hook === 'beforeCall' },
    )
  }

  #count(hook: HookName, outcome: 'ok' | 'failed', ms: number): void {
    const counts = this.#counts.get(hook) ?? { calls: 0, errors: 0, spentMs: 0 }
    counts.calls += 1
    counts.spentMs += ms
    if (outcome === 'failed') counts.errors += 1
    this.#counts.set(hook, counts)
    this.#parts.ran?.(hook, outcome, ms)
  }

  /** Once a minute: what fails does so with every call. */
  #tell(hook: HookName, error: unknown): void {
    const { clock, logger } = this.#parts
    const now = clock.now()
    if (now - this.#toldAt < tellMs) return
    this.#toldAt = now
    const why = messageOf(error)
    if (this.onError === 'refuse')
      logger.log('error', `The plugin '${this.name}' failed in ${hook}, and calls are refused: ${why}`)
    else logger.log('error', `The plugin '${this.name}' failed in ${hook} and is passed over: ${why}`)
  }
}
