import type { Readable, Writable } from 'node:stream'
import type { Authenticate } from '../../http/auth.js'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'

/** How a profile shows its tools to clients; which tools those are, the gateway's `rules.profiles` say. */
export interface ServedProfile {
  /** `auto` lists up to 40 tools and lets clients search more; `flat` lists all. Default `auto`. */
  readonly expose?: 'auto' | 'flat' | 'search' | 'hybrid' | undefined
  /** `safe` names fit every model provider; `exact` are the tools' own. Default `safe`. */
  readonly names?: 'safe' | 'exact' | undefined
  /** Globs over ids: what `hybrid` always lists. */
  readonly pin?: readonly string[] | undefined
  /** UTF-8 bytes of a result. Default: no limit. */
  readonly maxResultBytes?: number | undefined
  /** The six tools of a registry are always listed, whoever asks; `createServer` sets it. Default false. */
  readonly registry?: boolean | undefined
}

export interface ServeHttpOptions {
  /** Default 127.0.0.1. Anything that other machines can reach needs a `token` or `authenticate`. */
  readonly host?: string | undefined
  /** Default 0: any free port. */
  readonly port?: number | undefined
  /** Where MCP is served; profiles are below it. Default `/mcp`. */
  readonly path?: string | undefined
  /** Everybody must show it, as `Authorization: Bearer` or `X-API-Key`. Default: programs on this machine need none. */
  readonly token?: string | undefined
  /** Who asks, decided by you. Wins over `token`. */
  readonly authenticate?: Authenticate | undefined
  /** Names to accept in `Host` beside our own. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Web origins that may call us beside pages of this machine. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Whether pages of this machine may call us from any port. Default: true. */
  readonly localOrigins?: boolean | undefined
  /**
   * A reverse proxy stands in front: nobody is taken for local, and its word on the client's address counts. `true` trusts
   * proxies on this machine, a list those at these addresses and networks. Default: none; any sign of a proxy then ends "local".
   */
  readonly behindProxy?: boolean | readonly string[] | undefined
  /** Serves `/api/v1` too. Default false. */
  readonly rest?: boolean | undefined
}

export interface ServeStdioOptions {
  /** Default: this process's own. Whatever else writes to the output breaks the protocol. */
  readonly input?: Readable | undefined
  readonly output?: Writable | undefined
  /** Who is at the other end. Default: one that may discover and call. */
  readonly caller?: Caller | undefined
}

export interface XiaozhiLinkOptions {
  /** `wss://…`, with its token. */
  readonly url: string
  readonly name?: string | undefined
  /** Default `default`. */
  readonly profile?: string | undefined
  /** UTF-8 bytes of one answer. Default 1024: links are known to lose more. */
  readonly maxResultBytes?: number | undefined
  /** UTF-8 bytes of the tool list. Default 10,240. */
  readonly maxListBytes?: number | undefined
  /** Milliseconds for one call. Default 9,000: devices stop waiting at ten seconds. */
  readonly callTimeoutMs?: number | undefined
}

/** What all ways in have in common. */
export interface ServeCommon {
  /** How clients know us. Default: this package. */
  readonly serverInfo?:
    | { readonly name: string; readonly version: string; readonly title?: string | undefined }
    | undefined
  /** Words for the model about the whole server. */
  readonly instructions?: string | undefined
  /** By name. The default profile is always there. */
  readonly profiles?: Readonly<Record<string, ServedProfile>> | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
}

export interface ServeOptions extends ServeCommon {
  /** Default: on, unless another way in is named. */
  readonly http?: ServeHttpOptions | boolean | undefined
  readonly stdio?: ServeStdioOptions | boolean | undefined
  /** Devices to dial out to. */
  readonly xiaozhi?: string | XiaozhiLinkOptions | readonly XiaozhiLinkOptions[] | undefined
}
