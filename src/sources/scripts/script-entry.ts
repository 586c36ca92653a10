import type { ToolAnnotations } from '../../model/tool.js'
import type { ScriptLimits } from '../../sandbox/limits.js'
import type { Scripts } from '../../sandbox/scripts.js'

/** What is said of a stored script besides its text. */
export interface ScriptFacts {
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** JSON Schema of its arguments, which are `input` in the script. Default: any object. */
  readonly input?: Readonly<Record<string, unknown>> | undefined
  /** JSON Schema of what it returns; it is held to it. Default: anything. */
  readonly output?: Readonly<Record<string, unknown>> | undefined
  readonly annotations?: ToolAnnotations | undefined
  /** Time for the whole script. Default: the source's, else the board's. */
  readonly timeoutMs?: number | undefined
  /** Which tools it may call, by id, of those that its caller may. Default: all of them. */
  readonly tools?: readonly string[] | undefined
}

/** A stored script: a file, or its text. */
export interface ScriptEntry extends ScriptFacts {
  readonly file?: string | undefined
  readonly script?: string | undefined
}

/** Scripts by name, a folder of them, or both. */
export interface ScriptsEntry {
  readonly scripts?: Readonly<Record<string, ScriptEntry>> | undefined
  /** Each `*.js` in it is a tool, and begins with a comment that is its definition. */
  readonly folder?: string | undefined
  readonly timeoutMs?: number | undefined
}

/** What runs stored scripts over the tools of a board. */
export interface StoredScripts extends Pick<Scripts, 'run'> {
  /** What the board lets scripts use, as it is now. */
  limits(): Partial<ScriptLimits>
}

export type OpenScripts = () => Promise<StoredScripts>
