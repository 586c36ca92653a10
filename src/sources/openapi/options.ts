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
  readonly folder?: string | undefined
  /** Where to send the calls, before what the document says. */
  readonly baseUrl?: string | undefined
  /** Sent with every call, and with the request for the document where it lies at the same origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly auth?: OpenApiAuth | undefined
  /** Only operations with one of these tags. */
  readonly includeTags?: readonly string[] | undefined
  readonly excludeTags?: readonly string[] | undefined
  /** Only these tools, by name; `*` is any text. */
  readonly includeTools?: readonly string[] | undefined
  readonly excludeTools?: readonly string[] | undefined
  /** Servers that the document names may be inside this network. Default: false. What the operator wrote always may. */
  readonly allowPrivate?: boolean | undefined
  /** Of one answer. Default: 4 MiB. */
  readonly maxResponseBytes?: number | undefined
  /** For one request, before the call's own deadline. Default: 60 s. */
  readonly timeoutMs?: number | undefined
  /** How often the document is looked at for changes. Default: 2 s for a file, 5 min for a URL. */
  readonly pollMs?: number | undefined
  /** The list of an earlier run, shown until the document is read. */
  readonly knownTools?: readonly ToolSpec[] | undefined
  readonly clock: Clock
  readonly logger: Logger
}
