import { GatewayError, messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { Answer } from '../../model/result.js'
import type { Logger } from '../../telemetry/logger.js'
import { howItStands } from '../down.js'
import type { Source, SourceCall, SourceUpdate, ToolProblem } from '../source.js'
import { readyStatus, type SourceStatus, type Supervised } from '../status.js'
import { isWanted, type ToolFilter } from '../tool-filter.js'
import type { ReadScripts } from './read-scripts.js'
import type { OpenScripts, ScriptsEntry } from './script-entry.js'

export interface StoredScriptsOptions extends ScriptsEntry, ToolFilter {
  /** Where relative paths start; `folder` is the scripts' own. */
  readonly base: string
  readonly clock: Clock
  readonly logger: Logger
  /** Asked for with the first call. Undefined: they are listed, and nothing here runs them. */
  readonly open?: OpenScripts | undefined
  /** How often the files are looked at for changes. Default 2,000. */
  readonly pollMs?: number | undefined
}

/** Scripts that an operator wrote, each a tool: what they call they call as whoever called them. */
export const createScriptsSource = (options: StoredScriptsOptions): Source & Supervised => new ScriptsSource(options)

type Report = (update: SourceUpdate) => readonly ToolProblem[]

/** A class, since it has a lifetime: it reads the files, reads them again, and says how they stand. */
class ScriptsSource implements Source, Supervised {
  readonly kind = 'scripts'
  readonly #options: StoredScriptsOptions
  readonly #listeners = new Set<(status: SourceStatus) => void>()
  #status: SourceStatus = { state: 'stopped', reason: undefined, nextRetryAt: undefined }
  #report: Report | undefined
  #current: ReadScripts | undefined
  #told = ''
  #isClosed = false
  #cancelTimer = () => {}

  constructor(options: StoredScriptsOptions) {
    this.#options = options
  }

  get status(): SourceStatus {
    return this.#status
  }

  onStatus(listener: (status: SourceStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async watch(onTools: Report, signal: AbortSignal): Promise<void> {
    this.#report = onTools
    // A folder that cannot be read is a state with a next look, not the end of the watch.
    await this.start().catch(() => onTools({ type: 'all', tools: [] }))
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    this.#cancelTimer()
    this.#report = undefined
  }

  async start(): Promise<void> {
    if (this.#status.state === 'stopped') this.#be({ state: 'starting', reason: undefined, nextRetryAt: undefined })
    await this.#look()
  }

  async stop(): Promise<void> {
    this.#cancelTimer()
    this.#current = undefined
    this.#told = ''
    this.#be({ state: 'stopped', reason: 'Stopped by request.', nextRetryAt: undefined })
    this.#report?.({ type: 'all', tools: [] })
  }

  async restart(): Promise<void> {
    this.#current = undefined
    this.#told = ''
    await this.start()
  }

  async check(): Promise<boolean> {
    return this.#current !== undefined
  }

  call(name: string, args: JsonObject, context: SourceCall): Promise<Answer> {
    if (context.sync) throw asyncOnly(name)
    return this.#run(name, args, context)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer()
    this.#current = undefined
    this.#be({ state: 'stopped', reason: 'Removed.', nextRetryAt: undefined })
  }

  async #run(name: string, args: JsonObject, context: SourceCall): Promise<Answer> {
    const { open, timeoutMs, logger, clock } = this.#options
    if (!this.#current) throw unavailable(howItStands(this.#status, clock))
    const script = this.#current.scripts.get(name)
    if (!script) throw noScript(name)
    if (!open) throw unavailable('cannot be run here: it takes a gateway whose tools they call.')
    // Loaded with the first call: most scripts are listed more often than they are run.
    const [runner, { runStored }] = await Promise.all([open(), import('./run-stored.js')])
    const { answer, report } = await runStored(script, args, context, runner, timeoutMs)
    for (const line of report.logs ?? []) logger.log('debug', line, { tool: name, run: report.run })
    return answer
  }

  /** Reads what changed and plans the next look, whatever came of it. */
  async #look(): Promise<void> {
    const { base, clock, logger, pollMs = 2000 } = this.#options
    this.#cancelTimer()
    try {
      // Loaded with the first source of this kind: most boards have none.
      const { readScripts } = await import('./read-scripts.js')
      const found = await readScripts(this.#options, base, this.#current)
      if (this.#isClosed) return
      this.#current = found
      this.#tell(found)
    } catch (error) {
      const reason = messageOf(error)
      if (reason !== this.#status.reason) logger.log('warn', reason)
      this.#be({ state: this.#current ? 'degraded' : 'needs-config', reason, nextRetryAt: clock.wall() + pollMs })
      throw error
    } finally {
      if (this.#report && !this.#isClosed)
        this.#cancelTimer = clock.after(pollMs, () => void this.#look().catch(() => {}))
    }
  }

  #tell({ scripts, problems }: ReadScripts): void {
    const wanted = [...scripts].filter(([name]) => isWanted(name, this.#options))
    const faults = problems.filter(({ tool }) => isWanted(tool, this.#options))
    const told = JSON.stringify([
      wanted.map(([name, { hash }]) => [name, hash]),
      faults.map(({ error }) => error.message),
    ])
    if (told === this.#told) return
    this.#told = told
    const tools = wanted.map(([, { spec }]) => spec)
    // The catalog adds what it cannot list itself, such as a name that is none.
    const refused = this.#report?.({ type: 'all', tools, problems: faults }) ?? faults
    this.#be(refused.length === 0 ? readyStatus : { ...readyStatus, ...standing(refused, tools.length > 0) })
  }

  #be(status: SourceStatus): void {
    this.#status = status
    for (const listener of this.#listeners) listener(status)
  }
}

const mostTold = 3

const standing = (problems: readonly ToolProblem[], isUsable: boolean): Pick<SourceStatus, 'state' | 'reason'> => {
  const told = problems.slice(0, mostTold).map(({ error }) => error.message)
  const more = problems.length > mostTold ? [`${problems.length - mostTold} more are wrong.`] : []
  return { state: isUsable ? 'degraded' : 'needs-config', reason: [...told, ...more].join(' ') }
}

const unavailable = (how: string): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', `The source of this script ${how}`, { details: { down: true }, notSent: true })

const noScript = (name: string): GatewayError =>
  new GatewayError('TOOL_NOT_FOUND', `There is no script '${name}'.`, { details: { tool: name }, notSent: true })

const asyncOnly = (tool: string): GatewayError =>
  new GatewayError('TOOL_ASYNC_ONLY', `'${tool}' is a script: use the asynchronous call, which returns a promise.`)
