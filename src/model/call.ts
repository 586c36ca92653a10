import type { Asking } from './asking.js'
import type { Caller } from './caller.js'
import type { CancelSignal } from './cancel.js'
import type { JsonObject } from './json.js'
import type { Tool, ToolId } from './tool.js'

export type ValidationMode = 'off' | 'warn' | 'strict'

export interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** One run of a script, whose calls are recorded under it and counted one by one. */
export type RunId = string

/** The script that a call turned out to be: its run, and what tells its text from any other without telling it. */
export interface ScriptMark {
  readonly run: RunId
  /** SHA-256 of the text as it came. */
  readonly sha256: string
  readonly bytes: number
}

/** What may be asked of a source. `other` is whatever else its protocol knows: tasks, extensions, methods of tomorrow. */
export const requestKinds = ['tool', 'prompt', 'resource', 'completion', 'other'] as const
export type RequestKind = (typeof requestKinds)[number]

/**
 * What outlives a request of its client's: a session, a pipe, a link. By it a client has something of its own at a source that
 * keeps state, see `Source.isolation`.
 */
export interface CallSession {
  /** Tells it from the others of the same caller. */
  readonly key: string
  /** Told when it is over, where that can be known. Returns how to stop listening. */
  onEnd(listener: () => void): () => void
}

/** Who asks, as far as it matters to a source that keeps state apart. */
export interface WhoAsks {
  readonly caller: string
  readonly session?: CallSession | undefined
}

/** The ways by which calls come in; `mcp` is MCP over HTTP, `local` whatever runs in our own process. */
export const faceNames = ['mcp', 'stdio', 'xiaozhi', 'rest', 'recall', 'console', 'script', 'local'] as const
export type FaceName = (typeof faceNames)[number]

/** How a call came in, for whoever keeps it. Nobody is believed by it: a client says of itself what it likes. */
export interface CallOrigin {
  readonly face: FaceName
  /** The program that asks, by its own word. */
  readonly client?: string | undefined
  readonly version?: string | undefined
  /** The revision of MCP that is spoken. */
  readonly protocol?: string | undefined
}

/** Whom some news is for, where it is not for everybody: a process of one's own tells of one's own things. */
export type IsFor = (asker: WhoAsks) => boolean

/** A call as its face decoded it; nothing in it has been checked yet. */
export interface Call {
  /** Default `tool`. All kinds pass the same steps; what has no meaning for one passes it through. */
  readonly kind?: RequestKind | undefined
  /** The tool as the caller wrote it: canonical id or an advertised name. Of other kinds: a prompt's name, a resource's address, what a completion is for, a method. */
  readonly tool: string
  /** Of the kind `other`: the source to be asked, where the caller knows it. */
  readonly source?: string | undefined
  /** Where the face has looked it up already, by `Gateway.resolve`: then nobody looks again. */
  readonly found?: Found | undefined
  /** A tool's arguments; of other kinds the params of the request. Missing means `{}`. Anything else than an object reaches only tools whose validation is off. */
  readonly args?: unknown
  readonly caller: Caller
  /** The client session it came by. Default: all requests of its caller are one client's. */
  readonly session?: CallSession | undefined
  /** Default: from within our own process. */
  readonly from?: CallOrigin | undefined
  readonly signal?: CancelSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly validation?: ValidationMode | undefined
  /** The face's limit on the UTF-8 bytes of the answer; undefined is no limit. */
  readonly maxResultBytes?: number | undefined
  /** The call during which this one was made; chains are bounded by the loop guard. */
  readonly parent?: CallLink | undefined
  /** The script that makes it, see `RunId`: then it counts as its caller's own, although it has a parent. */
  readonly run?: RunId | undefined
  /** Which of that script's calls it is, from 1 on. */
  readonly step?: number | undefined
  /** Of a call that runs a script: told which, when that begins. */
  readonly onScript?: ((script: ScriptMark) => void) | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Bytes of the message that carried the arguments, where one did: nobody has to write them out to know. */
  readonly bytes?: number | undefined
  /** The request's `_meta` as it came, for sources that speak MCP. */
  readonly meta?: JsonObject | undefined
  /** Sent besides to a source over HTTP, by the word of the operator's own code; never a caller's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How the caller can be asked back. Without it, a tool that asks is refused. */
  readonly asking?: Asking | undefined
}

/** What a name stands for, found once. Only what `Gateway.resolve` made counts, for its caller, until something changes. */
export interface Found {
  /** Undefined where there is none that this caller can see. */
  readonly tool: Tool | undefined
  /** The same for what is no tool. */
  readonly offer?: Target | undefined
}

/**
 * What another replica has found, allowed, checked and counted for this caller: the call goes on where it left off there, at
 * `admit`. A class, so that nothing a client writes can ever be one.
 */
export class HandedOver implements Found {
  readonly tool = undefined

  constructor(readonly target: Target) {}
}

/** What a request of another kind than `tool` is for. */
export interface Wanted {
  readonly kind: Exclude<RequestKind, 'tool'>
  /** As in `Call.tool`. */
  readonly name: string
  /** What a completion is for. */
  readonly of?: 'prompt' | 'resource' | undefined
  /** Of `other`: at this source. */
  readonly source?: string | undefined
  /** Of `other`: only at a source that speaks this era of MCP. */
  readonly era?: 'legacy' | 'modern' | undefined
}

/** The method by which MCP asks for this. */
export const methodOf = ({ kind = 'tool', tool }: Pick<Call, 'kind' | 'tool'>): string =>
  kind === 'other' ? tool : methods[kind]

const methods: Readonly<Record<Exclude<RequestKind, 'other'>, string>> = {
  tool: 'tools/call',
  prompt: 'prompts/get',
  resource: 'resources/read',
  completion: 'completion/complete',
}

/** What the steps need to know of what is asked for, of whichever kind. */
export interface Target {
  /** The canonical id: `namespace.name`, or `namespace.` and the normal form of an address. */
  readonly id: string
  /** As its source calls it. */
  readonly name: string
  readonly source: string
  /** Time for one request, before the gateway's default. */
  readonly timeoutMs?: number | undefined
}

export interface CallLink {
  readonly tool: ToolId
  readonly args: unknown
  readonly depth: number
  readonly parent?: CallLink | undefined
}
