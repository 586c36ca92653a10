import type { Gateway, McpSurface, MountedSurface } from '../../../gateway.js'
import { latestModernVersion } from '../../../mcp/eras.js'
import { type Implementation, metaKeys, notificationText } from '../../../mcp/message.js'
import type { RequestKind, Target } from '../../../model/call.js'
import { once } from '../../../model/cancel.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { Tool } from '../../../model/tool.js'
import type { Exchange } from '../exchange.js'

export interface HeldSourceOptions {
  readonly gateway: Gateway
  readonly serverInfo: Implementation
  readonly source: string
}

/** What a source that we hold says of itself, for other replicas: under its own names, and whole, since each reviews by itself. */
export class HeldSource {
  readonly #options: HeldSourceOptions
  readonly #streams = new Set<() => void>()
  readonly #targets = new Map<string, Target>()
  #version = -1

  constructor(options: HeldSourceOptions) {
    this.#options = options
  }

  /** The answer, where the source itself need not be asked. */
  answer(exchange: Exchange): Promise<string> | undefined {
    switch (exchange.request.method) {
      case 'server/discover':
        return this.#settled(exchange, () => this.#introduce())
      case 'tools/list':
        return this.#settled(exchange, () => ({ tools: this.#tools().map(asListed) }))
      case 'prompts/list':
        return this.#settled(exchange, (surface) => ({ prompts: surface?.offer?.prompts ?? [] }))
      case 'resources/list':
        return this.#settled(exchange, (surface) => ({ resources: surface?.offer?.resources ?? [] }))
      case 'resources/templates/list':
        return this.#settled(exchange, (surface) => ({ resourceTemplates: surface?.offer?.templates ?? [] }))
      case 'subscriptions/listen':
        return this.#listen(exchange)
      default:
        return undefined
    }
  }

  /** What the steps count a request under. */
  targetOf(kind: RequestKind, name: string): Target {
    const { catalog } = this.#options.gateway
    if (this.#version !== catalog.version) {
      this.#targets.clear()
      this.#version = catalog.version
      for (const tool of this.#tools()) this.#targets.set(tool.name, tool)
    }
    const known = kind === 'tool' ? this.#targets.get(name) : undefined
    if (known) return known
    const { source } = this.#options
    const mounted = this.#mounted
    return { id: mounted?.idOf(name) ?? `${source}.${name}`, name, source, timeoutMs: mounted?.timeoutMs }
  }

  /** Ends what has no end of its own. */
  close(): void {
    for (const end of [...this.#streams]) end()
  }

  get #mounted(): MountedSurface | undefined {
    return this.#options.gateway.surfaces.all().find(({ source }) => source === this.#options.source)
  }

  #tools(): readonly Tool[] {
    const { gateway, source } = this.#options
    const { catalog } = gateway
    return [...catalog.snapshot().tools, ...catalog.held()].filter((tool) => tool.source === source)
  }

  async #settled({ signal }: Exchange, say: (surface: McpSurface | undefined) => object): Promise<string> {
    await this.#started(signal)
    await this.#mounted?.surface.settled()
    return JSON.stringify({ resultType: 'complete', ...say(this.#mounted?.surface) })
  }

  /** What is still starting has nothing to show yet, and will: whoever asks waits, for as long as it has patience. */
  #started(signal: Exchange['signal']): Promise<void> | undefined {
    const { gateway, source } = this.#options
    const supervised = gateway.supervised(source)
    if (supervised?.status.state !== 'starting') return undefined
    return new Promise((resolve) => {
      const leave = supervised.onStatus(({ state }) => state !== 'starting' && done())
      const done = (): void => {
        leave()
        this.#streams.delete(done)
        resolve()
      }
      this.#streams.add(done)
      signal.addEventListener('abort', { handleEvent: done }, once)
    })
  }

  #introduce(): object {
    const offer = this.#mounted?.surface.offer
    return {
      supportedVersions: [latestModernVersion],
      capabilities: { tools: { listChanged: true }, ...offer?.capabilities },
      instructions: offer?.instructions,
      _meta: { [metaKeys.serverInfo]: this.#options.serverInfo },
    }
  }

  /** Tells of changes until the other replica leaves, or we hold the source no more. */
  async #listen({ request, notify, signal, caller }: Exchange): Promise<string> {
    const asked = isRecord(request.params?.notifications) ? (request.params.notifications as JsonObject) : {}
    const _meta = { [metaKeys.subscriptionId]: request.id }
    const tell = (method: string, params: JsonObject = {}): void =>
      notify(notificationText(method, { ...params, _meta: { ...(params._meta as JsonObject), ..._meta } }))
    const { honoured, stops } = this.#wishes(asked, caller.id, tell)
    tell('notifications/subscriptions/acknowledged', { notifications: honoured })
    await new Promise<void>((resolve) => {
      this.#streams.add(resolve)
      signal.addEventListener('abort', { handleEvent: () => resolve() }, once)
      stops.push(() => this.#streams.delete(resolve))
    })
    for (const stop of stops) stop()
    return JSON.stringify({ resultType: 'complete', _meta })
  }

  #wishes(asked: JsonObject, caller: string, tell: (method: string, params?: JsonObject) => void) {
    const { gateway, source } = this.#options
    const honoured: Record<string, true | string[]> = {}
    const stops: (() => void)[] = []
    const surface = this.#mounted?.surface
    const isApart = surface?.isApart === true
    if (asked.toolsListChanged === true) {
      honoured.toolsListChanged = true
      const isOurs = (tools: readonly Tool[]): boolean => tools.some((tool) => tool.source === source)
      stops.push(
        gateway.catalog.onChange(({ added, changed, removed }) => {
          if (isOurs(added) || isOurs(changed) || isOurs(removed)) tell('notifications/tools/list_changed')
        }),
      )
    }
    for (const kind of ['prompts', 'resources'] as const)
      if (asked[`${kind}ListChanged`] === true && surface) {
        honoured[`${kind}ListChanged`] = true
        stops.push(surface.onChange((changed) => changed === kind && tell(`notifications/${changed}/list_changed`)))
      }
    const uris = Array.isArray(asked.resourceSubscriptions) ? asked.resourceSubscriptions : []
    const followed = uris.filter((uri): uri is string => {
      // One stream asks for all callers of a replica: nobody could say whose process it means.
      const stop = typeof uri === 'string' && !isApart ? surface?.follow(uri, caller) : undefined
      if (typeof stop === 'function') stops.push(stop)
      return typeof stop === 'function'
    })
    if (followed.length > 0 && surface) {
      honoured.resourceSubscriptions = followed
      const wanted: ReadonlySet<unknown> = new Set(followed)
      stops.push(
        surface.onUpdated((params) => wanted.has(params.uri) && tell('notifications/resources/updated', params)),
      )
    }
    // What only its source understands: tasks, extensions.
    const known = new Set(['toolsListChanged', 'promptsListChanged', 'resourcesListChanged', 'resourceSubscriptions'])
    const others = Object.fromEntries(Object.entries(asked).filter(([name]) => !known.has(name)))
    if (surface && Object.keys(others).length > 0) {
      Object.assign(honoured, others)
      stops.push(surface.listen(others, (method, params) => tell(method, params)))
    }
    return { honoured: honoured as JsonObject, stops }
  }
}

const asListed = ({ definition, name }: Tool): JsonObject => ({ ...definition, name }) as unknown as JsonObject
