import type { Clock } from '../../model/clock.js'
import type { ToolSpec } from '../../model/tool.js'
import type { Logger } from '../../telemetry/logger.js'

/** How calls show who they are. The value is the operator's and reaches no tool, no log and no other host. */
export type OpenApiAuth =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string }
  | { readonly type: 'query'; readonly name: string; readonly value: string }

export interface OpenApiOptions {
  /** Path or URL of an OpenAPI 3.0 or 3.1 document, JSON or YAML. */
  readonly spec: string
  /** Where a relative path starts. Default: the working directory. */
  readonly folder?: string
  /** Where to send the calls, before what the document says. */
  readonly baseUrl?: string
  /** Sent with every call, and with the request for the document where it lies at the same origin. */
  readonly headers?: Readonly<Record<string, string>>
  readonly auth?: OpenApiAuth
  /** Only operations with one of these tags. */
  readonly includeTags?: readonly string[]
  readonly excludeTags?: readonly string[]
  /** Only these tools, by name; `*` is any text. */
  readonly includeTools?: readonly string[]
  readonly excludeTools?: readonly string[]
  /** Servers that the document names may be inside this network. Default: false. What the operator wrote always may. */
  readonly allowPrivate?: boolean
  /** Of one answer. Default: 4 MiB. */
  readonly maxResponseBytes?: number
  /** For one request, before the call's own deadline. Default: 60 s. */
  readonly timeoutMs?: number
  /** How often the document is looked at for changes. Default: 2 s for a file, 5 min for a URL. */
  readonly pollMs?: number
  /** The list of an earlier run, shown until the document is read. */
  readonly knownTools?: readonly ToolSpec[] | undefined
  readonly clock: Clock
  readonly logger: Logger
}
