import { isGatewayError } from '../../errors.js'
import type { StdioHost } from '../../sources/stdio/sessions.js'
import type { Logger } from '../../telemetry/logger.js'
import type { Shared } from '../held.js'
import { commonStdioHost } from '../stdio-host.js'
import type { AdapterConfig, StdioServiceConfig } from './settings.js'
import { type AdapterOptions, type OpenedSource, SourceServiceAdapter } from './source-adapter.js'

/** A service that is a process of ours, spoken to over its input and output. Equal commands share one process. */
export class StdioServiceAdapter extends SourceServiceAdapter {
  readonly #config: AdapterConfig<StdioServiceConfig>
  #processes: Shared<StdioHost> = commonStdioHost

  constructor(
    name: string,
    namespace: string,
    config: AdapterConfig<StdioServiceConfig>,
    options: AdapterOptions = {},
  ) {
    super(name, namespace, 'stdio', config, options)
    this.#config = config
  }

  /** Called by the registry: the services of one registry share their processes, their guard and their log. */
  useProcesses(processes: Shared<StdioHost>): void {
    this.#processes = processes
  }

  protected override openSource(): OpenedSource {
    const { command, args, env, cwd } = this.#config
    const held = this.#processes.hold()
    const crash: Crash = { exitCode: undefined }
    const source = this.makeSource(
      { type: 'stdio', command, args, env, cwd },
      { stdio: () => noting(held.value, crash), logger: withExitCode(this.logger, crash) },
    )
    return { source, release: held.release }
  }
}

interface Crash {
  exitCode: unknown
}

/** Remembers how the process ended, which the supervisor is told in words only. */
const noting = (host: StdioHost, crash: Crash): StdioHost => ({
  connect: (command, options) =>
    host.connect(command, {
      ...options,
      onClose: (reason) => {
        crash.exitCode = exitCodeOf(reason) ?? exitCodeOf(reason?.cause)
        options.onClose?.(reason)
      },
    }),
  get size() {
    return host.size
  },
  unread: host.unread,
  close: async () => {},
})

/** The transport wraps what the process said of its end. */
const exitCodeOf = (reason: unknown): unknown => (isGatewayError(reason) ? reason.details?.exitCode : undefined)

/** `Process crashed` says service and exit code in document 001, and nothing else (001-17); why is in the error's own line. */
const withExitCode = (logger: Logger, crash: Crash): Logger => ({
  log: (level, message, meta) =>
    logger.log(
      level,
      message,
      message === 'Process crashed' ? { service: meta?.service, exitCode: crash.exitCode } : meta,
    ),
  child: (service) => withExitCode(logger.child(service), crash),
})
