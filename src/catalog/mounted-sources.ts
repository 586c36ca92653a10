import { messageOf } from '../errors.js'
import type { OpenCircuit } from '../model/open-circuit.js'
import { toToolId } from '../model/tool-id.js'
import type { Source } from '../sources/source.js'
import type { SourceInfo } from '../sources/source-info.js'
import { isSupervised, leftAlone, readyStatus, type Supervised, toStartError } from '../sources/status.js'
import type { Logger } from '../telemetry/logger.js'
import type { Catalog } from './catalog.js'
import type { SurfaceRack } from './offers/surfaces.js'

export interface SourceOptions {
  /** Before the names of its tools. Default: the source's name. */
  readonly namespace?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Time for one call of its tools, or for anything else asked of it, before the gateway's default. */
  readonly timeoutMs?: number | undefined
}

interface Mounted {
  readonly name: string
  readonly namespace: string
  readonly source: Source
  readonly stop: AbortController
  readonly watching: Promise<void>
}

export interface MountedSourcesOptions {
  readonly catalog: Catalog
  readonly surfaces: SurfaceRack
  readonly separator?: string | undefined
  readonly logger: Logger
  /** The circuits that are open now. */
  readonly circuits: () => readonly OpenCircuit[]
  /** The source is ready, after whatever was. */
  readonly cameBack: (source: string) => void
  readonly gone: (source: string) => void
}

/** The sources on the board: from the first report of each until it is taken away. */
export class MountedSources {
  readonly #options: MountedSourcesOptions
  readonly #mounted = new Map<string, Mounted>()
  readonly #listeners = new Set<(source: SourceInfo) => void>()

  constructor(options: MountedSourcesOptions) {
    this.#options = options
  }

  find(name: string): Source | undefined {
    return this.#mounted.get(name)?.source
  }

  supervised(name: string): Supervised | undefined {
    const source = this.find(name)
    return source && isSupervised(source) ? source : undefined
  }

  list(): readonly SourceInfo[] {
    const open = this.#options.circuits()
    return [...this.#mounted.values()].map((each) => this.#infoOf(each, open))
  }

  onSource(listener: (source: SourceInfo) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Something about this source has changed. */
  tell(name: string): void {
    const found = this.#mounted.get(name)
    if (found) for (const listener of this.#listeners) listener(this.#infoOf(found, this.#options.circuits()))
  }

  /** Resolves when it has reported its tools. One that fails to start is not mounted. */
  async add(name: string, source: Source, { namespace = name, ...more }: SourceOptions = {}): Promise<void> {
    const { catalog, surfaces, separator, logger, cameBack } = this.#options
    catalog.mount({ source: name, namespace, ...more })
    const stop = new AbortController()
    await new Promise<void>((reported, failed) => {
      const watching = source.watch((update) => {
        const problems = catalog.apply(name, update)
        for (const { tool, error } of problems)
          logger.log('warn', error.message, { source: name, tool, code: error.code })
        reported()
        return problems
      }, stop.signal)
      this.#mounted.set(name, { name, namespace, source, stop, watching })
      const idOf = (each: string) => toToolId(namespace, each, separator)
      if (source.surface)
        surfaces.mount({ source: name, namespace, surface: source.surface, timeoutMs: more.timeoutMs, idOf })
      if (isSupervised(source))
        source.onStatus(({ state }) => {
          if (state === 'ready') cameBack(name)
          this.tell(name)
        })
      watching.then(reported, (error) => {
        logger.log('error', `Source '${name}' stopped: ${messageOf(error)}`, { source: name })
        failed(toStartError(name, error))
      })
    }).catch(async (error) => {
      await this.remove(name)
      throw error
    })
  }

  async remove(name: string): Promise<boolean> {
    const found = this.#mounted.get(name)
    if (!found) return false
    const { catalog, surfaces, gone } = this.#options
    this.#mounted.delete(name)
    gone(name)
    catalog.unmount(name)
    surfaces.unmount(name)
    found.stop.abort()
    await found.watching.catch(() => {})
    await found.source[Symbol.asyncDispose]()
    return true
  }

  async removeAll(): Promise<void> {
    await Promise.all([...this.#mounted.keys()].map((name) => this.remove(name)))
  }

  #infoOf({ name, namespace, source }: Mounted, open: readonly OpenCircuit[]): SourceInfo {
    const circuits = open.filter((circuit) => circuit.source === name)
    const own = isSupervised(source) ? source.status : readyStatus
    const whole = circuits.find(({ tool }) => tool === undefined)
    const status = whole && own.state === 'ready' ? leftAlone(own, whole) : own
    return { name, kind: source.kind, namespace, status, tools: this.#options.catalog.countOf(name), circuits }
  }
}
