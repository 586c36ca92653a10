import type { Readable, Writable } from 'node:stream'
import type { LoadedConfig } from '../../config/load.js'
import type { Config } from '../../config/schema.js'
import type { Gateway } from '../../gateway.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'

export interface BoardOptions {
  /** Serve over HTTP: MCP, REST, recall, the admin API and the console. Default: nobody listens. */
  readonly http?: boolean | { readonly port?: number | undefined } | undefined
  /** Serve MCP to the one client at the other end of these. */
  readonly stdio?:
    | { readonly input: Readable; readonly output: Writable; readonly profile?: string | undefined }
    | undefined
  /**
   * `always` keeps the data folder for itself; `if-free` reads where another process has it; `never` only reads.
   * Default: `always`.
   */
  readonly persist?: 'always' | 'if-free' | 'never' | undefined
  /** Default: nothing is logged. */
  readonly logger?: Logger | undefined
}

/** A gateway that runs as its configuration says. */
export interface RunningBoard extends AsyncDisposable {
  readonly gateway: Gateway
  /** What is in force: with `http` or `stdio` the file is followed. */
  readonly config: Config
  /** Where it listens; undefined without `http`. */
  readonly url: string | undefined
  /** Resolves when the client over stdio has left; never without one. */
  readonly clientLeft: Promise<void>
  /** Resolves when every source that starts at once has reported or failed. */
  settled(): Promise<void>
  /** Applies another configuration as a difference: what did not change is not touched. */
  reload(next: LoadedConfig): Promise<void>
  /** Ends what is served, then the sources. Idempotent. */
  close(): Promise<void>
}

/**
 * Runs a configuration as `pegboard serve` does, in this process: its sources, approvals, lock file, limits, audit trail and
 * every face. Rejects where the address cannot be had or the data folder is another's; then nothing was started.
 */
export const openBoard = async (loaded: LoadedConfig, options: BoardOptions = {}): Promise<RunningBoard> => {
  // Most users of the library never run a configuration.
  const { openBoard: open } = await import('../open-board.js')
  const { http, logger = silentLogger, ...more } = options
  const board = await open(loaded, { ...more, logger, http: http === false ? undefined : http })
  const { gateway, listener, clientLeft, settled, reload, close } = board
  return {
    gateway,
    get config() {
      return board.config
    },
    url: listener?.listensAt,
    clientLeft,
    settled,
    reload,
    close,
    [Symbol.asyncDispose]: close,
  }
}
