import type { GatewayError } from '../errors.js'
import type { CallSession, IsFor, WhoAsks } from '../model/call.js'
import type { JsonObject } from '../model/json.js'
import type { OwnSwitch } from '../model/tool.js'

/** The lists beside the tools. Templates belong to resources: one announcement speaks for both. */
export type SurfaceKind = 'prompts' | 'resources'

/** What a server said about itself and what it lists besides tools, as last read. Immutable. */
export interface SurfaceOffer {
  readonly era: 'legacy' | 'modern'
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
  readonly prompts: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
}

/** What a server offers besides tools, and how it tells of changes. What is asked of it goes by `Source.ask`. */
export interface McpSurface {
  /** A part of the board itself: no allow or deny list hides it, and it does not count as a source. */
  readonly own?: boolean | undefined
  /** Of a part of the board: what a profile has to switch on for it, as of tools. */
  readonly switch?: OwnSwitch | undefined
  /** Each caller, or each client session, has one of its own: who follows something has to say who they are. */
  readonly isApart?: boolean | undefined
  /** Undefined until the server was reached for the first time; kept while it sleeps. */
  readonly offer: SurfaceOffer | undefined
  /** Whether each of its lists was read once, or could not be: the offer is whole. */
  readonly isRead?: boolean | undefined
  /** Resolves when what is being read has been read, or could not be. Never rejects. */
  settled(): Promise<void>
  /**
   * Follows one resource, over restarts of the server, until told to stop. One subscription upstream however many ask; a
   * refusal where there would be too many, of which no caller gets more than leaves room for others.
   */
  follow(uri: string, caller: string, session?: CallSession): (() => void) | GatewayError
  /** A modern server's notifications of this kind, on a stream of their own. */
  listen(
    notifications: JsonObject,
    onNotification: (method: string, params: JsonObject) => void,
    asker?: WhoAsks,
  ): () => void
  onChange(listener: (kind: SurfaceKind) => void): () => void
  /** Told with the params of `notifications/resources/updated`. */
  onUpdated(listener: (params: JsonObject, isFor?: IsFor) => void): () => void
  /** Told with the id of an elicitation that was finished elsewhere (legacy servers only). */
  onCompleted?(listener: (elicitationId: string, isFor?: IsFor) => void): () => void
}
