import type { Call } from '../../model/call.js'
import type { Caller } from '../../model/caller.js'
import type { Outcome } from '../../model/outcome.js'
import type { Temperature, Usage } from '../../model/temperature.js'
import type { Tool } from '../../model/tool.js'

/** What the board's own tools ask of the board they stand on. A gateway is one; this source knows no more of it. */
export interface RegistryBoard {
  /** The tools this caller can see. */
  list(caller: Caller): readonly Tool[]
  find(name: string, caller: Caller): Tool | undefined
  search(
    query: string,
    options: { readonly limit: number; readonly method?: string | undefined },
    caller: Caller,
  ): Promise<BoardSearch>
  readonly searchMethods: readonly string[]
  call(call: Call): Promise<Outcome>
  sources(): readonly { readonly namespace: string }[]
  readonly catalog: {
    readonly size: number
    readonly usage: { of(id: string): Usage; temperature(id: string, wallMs: number): Temperature }
    /** Before something is said to be absent; undefined where there is nobody else to look at. */
    lookAround(): Promise<void> | undefined
  }
}

export interface BoardSearch {
  /** Best first. */
  readonly results: readonly BoardMatch[]
  /** What was really used. */
  readonly method: string
  readonly notice?: string | undefined
  readonly match?: 'weak' | undefined
  /** Of a wish of several parts, what each asks for. */
  readonly parts?: readonly string[] | undefined
  /** What there is to ask for, beside no results. */
  readonly areas?: readonly BoardArea[] | undefined
}

export interface BoardArea {
  readonly category: string
  readonly tools: number
  readonly examples: readonly Tool[]
}

export interface BoardMatch {
  readonly tool: Tool
  readonly score: number
  readonly matchReason: string
  readonly match?: 'weak' | undefined
  /** The part of the wish that it serves. */
  readonly part?: string | undefined
}

/** What tools are called towards each caller: a matter of its profile, which is the face's. */
export interface CallerNames {
  nameOf(tool: Tool, caller: Caller): string
  toolNamed(name: string, caller: Caller): Tool | undefined
}
