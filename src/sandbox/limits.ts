/** What one script may use. Times in milliseconds, sizes in UTF-8 bytes. */
export interface ScriptLimits {
  /** The script's text. */
  readonly scriptBytes: number
  /** How long the script may compute, without the time in which it waits for tools. */
  readonly cpuMs: number
  /** The whole run, calls included. */
  readonly timeoutMs: number
  readonly memoryBytes: number
  /** Reactions of promises. */
  readonly jobs: number
  readonly maxCalls: number
  /** Calls at once; more of them wait. */
  readonly parallel: number
  /** Arguments of one call. */
  readonly argumentBytes: number
  /** The answers of all calls together. */
  readonly answerBytes: number
  readonly resultBytes: number
  readonly logBytes: number
  readonly logLines: number
}

const KiB = 1024
const MiB = 1024 * KiB

export const defaultScriptLimits: ScriptLimits = Object.freeze({
  scriptBytes: 64 * KiB,
  cpuMs: 1000,
  timeoutMs: 30_000,
  memoryBytes: 64 * MiB,
  jobs: 1_000_000,
  maxCalls: 200,
  parallel: 8,
  argumentBytes: MiB,
  answerBytes: 16 * MiB,
  resultBytes: 16 * KiB,
  logBytes: 4 * KiB,
  logLines: 200,
})

/** What no setting goes beyond. */
export const scriptCeilings: ScriptLimits = Object.freeze({
  scriptBytes: 256 * KiB,
  cpuMs: 10_000,
  timeoutMs: 600_000,
  memoryBytes: 256 * MiB,
  jobs: 1_000_000,
  maxCalls: 5000,
  parallel: 64,
  argumentBytes: 4 * MiB,
  answerBytes: 128 * MiB,
  resultBytes: MiB,
  logBytes: 64 * KiB,
  logLines: 200,
})

/** The defaults with what is asked for, each between one and its ceiling. */
export const scriptLimits = (wanted: Partial<ScriptLimits> = {}): ScriptLimits => {
  const names = Object.keys(defaultScriptLimits) as (keyof ScriptLimits)[]
  const within = (name: keyof ScriptLimits): number => {
    const value = wanted[name]
    if (typeof value !== 'number' || Number.isNaN(value)) return defaultScriptLimits[name]
    return Math.max(1, Math.min(Math.floor(value), scriptCeilings[name]))
  }
  return Object.fromEntries(names.map((name) => [name, within(name)])) as unknown as ScriptLimits
}

/** What a script met the end of; `details.limit` of `SCRIPT_LIMIT`. */
export type ScriptLimitName = 'cpu' | 'memory' | 'stack' | 'jobs' | 'answers' | 'result'

/** Native work inside the engine is not interrupted by itself; after so long beyond its budget the thread is ended. */
export const watchdogGraceMs = 250
export const watchdogEveryMs = 50

/** Of the engine, in a thread that has 4 MB: so the engine meets its own end of the stack first, and says so properly. */
export const stackBytes = 256 * KiB
export const threadStackMb = 4
