import type { Gateway } from '../gateway.js'
import { type Caller, localCaller } from '../model/caller.js'
import type { CancelSignal } from '../model/cancel.js'
import { type Clock, systemClock } from '../model/clock.js'
import type { JsonValue } from '../model/json.js'
import { createScripts as createBoardScripts, type ScriptReport, type ScriptTerms } from '../sandbox/scripts.js'
import type { StoredScripts } from '../sources/scripts/script-entry.js'

export interface GatewayScriptsOptions extends ScriptTerms {
  readonly clock?: Clock | undefined
  /** Scripts that run at once. Default 4. */
  readonly maxRunning?: number | undefined
}

export interface ScriptRunOptions {
  /** There in the script as `input`. */
  readonly input?: JsonValue | undefined
  /** Whose calls the script's are. Default: this program's own. */
  readonly caller?: Caller | undefined
  readonly signal?: CancelSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** Scripts over the tools of a gateway, for a program: see docs/scripts.md. */
export interface GatewayScripts extends AsyncDisposable {
  /** Runs the body of an async function. Throws SCRIPT_INVALID, SCRIPT_FAILED, SCRIPT_LIMIT or DEADLINE_EXCEEDED. */
  run(script: string, options?: ScriptRunOptions): Promise<ScriptReport>
  /** Goes on with a run that was told as paused, by the same caller. */
  resume(run: string, options?: Omit<ScriptRunOptions, 'input'>): Promise<ScriptReport>
  close(): Promise<void>
}

/** Nothing is loaded or started before the first script; close it when no more come. */
export const createScripts = (
  gateway: Pick<Gateway, 'call' | 'find'>,
  { clock = systemClock, maxRunning = 4, ...terms }: GatewayScriptsOptions = {},
): GatewayScripts => {
  const scripts = createBoardScripts(gateway, { clock, termsOf: () => terms, maxRunning: () => maxRunning })
  const made: GatewayScripts = {
    run: (script, { input, timeoutMs, caller = localCaller, signal } = {}) =>
      scripts.run({ script, input, timeoutMs }, { caller, signal }),
    resume: (resume, { timeoutMs, caller = localCaller, signal } = {}) =>
      scripts.run({ resume, timeoutMs }, { caller, signal }),
    close: () => scripts.close(),
    [Symbol.asyncDispose]: () => scripts.close(),
  }
  runners.set(made, { run: (order, around) => scripts.run(order, around), limits: () => terms.limits ?? {} })
  return made
}

const runners = new WeakMap<GatewayScripts, StoredScripts>()

/** The same for scripts that are tools. */
export const storedBy = (scripts: GatewayScripts): StoredScripts => {
  const runner = runners.get(scripts)
  if (!runner) throw new TypeError('Give what createScripts made.')
  return runner
}
