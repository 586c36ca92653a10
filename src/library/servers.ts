import type { UsableSource } from '../config/schema.js'
import { GatewayError, messageOf } from '../errors.js'
import type { Gateway } from '../gateway.js'
import type { Clock } from '../model/clock.js'
import { isRecord, kindOf } from '../model/json.js'
import { ownImplementation } from '../model/version.js'
import type { SourceSurroundings } from '../sources/make-source.js'
import type { OpenScripts } from '../sources/scripts/script-entry.js'
import type { Source } from '../sources/source.js'
import type { SourceInfo } from '../sources/source-info.js'
import type { StdioHost } from '../sources/stdio/sessions.js'
import type { Logger } from '../telemetry/logger.js'
import { markedLogger } from '../telemetry/logger.js'
import type { GatewayScripts } from './scripts.js'
import { nameFor, type ServerEntry } from './server-entry.js'

export interface ServersOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly separator?: string | undefined
}

/** The servers that a program mounts by describing them, and what they share: one set of child processes, one of sign-ins. */
export class Servers {
  readonly #gateway: Gateway
  readonly #options: ServersOptions
  #stdio: StdioHost | undefined
  #scripts: GatewayScripts | undefined
  #workshop: Promise<Workshop> | undefined
  #closed = false

  constructor(gateway: Gateway, options: ServersOptions) {
    this.#gateway = gateway
    this.#options = options
  }

  /** Mounts one and waits until it has listed its tools. One that does not start is not mounted. */
  async add(name: string | undefined, entry: ServerEntry | undefined): Promise<SourceInfo> {
    if (!isRecord(entry)) throw notDescribed(name, entry)
    const taken = new Set(this.#gateway.sources().map((source) => source.name))
    const called = name ?? nameFor(entry, (each) => taken.has(each))
    const workshop = await this.#open()
    const [found] = workshop.read({ [called]: entry })
    if (!found)
      throw new GatewayError('CONFIG_INVALID', `'${called}' is switched off; leave out "enabled" to mount it.`)
    try {
      await this.#mount(workshop, called, found[1])
    } catch (error) {
      await this.#gateway.removeSource(called)
      throw error
    }
    return this.#gateway.sources().find((source) => source.name === called)!
  }

  /**
   * Mounts several at the same time. Rejects when all have reported or failed, naming those that did not start; those with a
   * connection stay mounted and are tried again.
   */
  async addAll(entries: Readonly<Record<string, ServerEntry>>): Promise<void> {
    const workshop = await this.#open()
    const found = [...workshop.read(entries)]
    const ended = await Promise.allSettled(found.map(([name, config]) => this.#mount(workshop, name, config)))
    const failures = ended.flatMap((end, index) =>
      end.status === 'rejected' ? [{ name: found[index]![0], error: end.reason as unknown }] : [],
    )
    if (failures.length > 0) throw notStarted(failures)
  }

  /** Mounts nothing from now on; the processes end when those who use them have. */
  async closeAfter(ending: () => Promise<void>): Promise<void> {
    this.#closed = true
    await ending()
    await this.#stdio?.close()
    await this.#scripts?.close()
  }

  #open(): Promise<Workshop> {
    return (this.#workshop ??= openWorkshop({
      ...this.#options,
      stdio: (create) => (this.#stdio ??= create()),
      scripts: async () => {
        const { createScripts, storedBy } = await import('./scripts.js')
        this.#scripts ??= createScripts(this.#gateway, { clock: this.#options.clock })
        return storedBy(this.#scripts)
      },
    }))
  }

  async #mount(workshop: Workshop, name: string, config: UsableSource): Promise<void> {
    if (this.#closed) throw new GatewayError('SOURCE_UNAVAILABLE', 'The gateway is closed; make another one.')
    const { namespace, tags, timeoutMs } = config
    const added = this.#gateway.addSource(name, workshop.make(name, config), { namespace, tags, timeoutMs })
    // What sleeps until it is called has nothing to start now.
    await Promise.all([added, config.startOnDemand ? undefined : this.#gateway.supervised(name)?.start()])
  }
}

/** What turns entries into sources. */
interface Workshop {
  read(entries: Readonly<Record<string, unknown>>): ReadonlyMap<string, UsableSource>
  make(name: string, config: UsableSource): Source
}

interface WorkshopOptions extends ServersOptions {
  /** The child processes, made when the first is needed. */
  readonly stdio: (create: () => StdioHost) => StdioHost
  /** What runs stored scripts, made with the first call of one. */
  readonly scripts: OpenScripts
}

/** Loaded with the first server: a program of functions never needs schemas, connections and processes. */
const openWorkshop = async ({ clock, logger, separator, stdio, scripts }: WorkshopOptions): Promise<Workshop> => {
  const [
    { readEntries },
    { makeSource, proxyIn },
    { createIsolatedSource },
    { createStdioHost },
    { createSignIns },
    { createMemoryDocuments },
  ] = await Promise.all([
    import('../config/entries.js'),
    import('../sources/make-source.js'),
    import('../sources/stdio/isolated/isolated-source.js'),
    import('../sources/stdio/sessions.js'),
    import('../sources/oauth/sign-ins.js'),
    import('../storage/memory/memory-documents.js'),
  ])
  const folder = process.cwd()
  const signIns = createSignIns({ documents: createMemoryDocuments(), clock, logger, onSecret: () => {} })
  const common: Omit<SourceSurroundings, 'logger'> = {
    stdio: () => stdio(() => createStdioHost({ clock, logger, hostEnv: process.env })),
    credentialsOf: (source) => signIns.credentialsOf(source),
    readDatabase: async (path) => (await import('../storage/sqlite/registry-database.js')).readToolDatabase(path),
    clientInfo: ownImplementation(),
    scripts,
    clock,
    folder,
    proxy: proxyIn(process.env),
  }
  return {
    read: (entries) => readEntries(entries, { folder, env: process.env, separator }),
    make: (name, config) =>
      makeSource(name, config, { ...common, isolate: createIsolatedSource, logger: markedLogger(logger, name) }),
  }
}

const notDescribed = (name: string | undefined, entry: unknown): GatewayError =>
  new GatewayError(
    'CONFIG_INVALID',
    `${name === undefined ? 'The server' : `'${name}'`} is described by an object, got ${kindOf(entry)}. Give { command, args } or { url }.`,
  )

const notStarted = (failures: readonly { readonly name: string; readonly error: unknown }[]): GatewayError => {
  const words = failures.map(({ name, error }) => `'${name}': ${messageOf(error)}`).join(' ')
  return new GatewayError(
    'SOURCE_START_FAILED',
    `Not every server started. ${words} The others are mounted; mend what is named, or catch this and go on without.`,
    { details: { servers: failures.map(({ name }) => name) }, cause: failures[0]!.error },
  )
}
