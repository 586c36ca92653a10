import { createHash } from 'node:crypto'
import { messageOf } from '../errors.js'
import { createGateway, type Gateway } from '../gateway.js'
import { localCaller } from '../model/caller.js'
import type { CancelSignal } from '../model/cancel.js'
import { type Clock, systemClock } from '../model/clock.js'
import type { Outcome } from '../model/outcome.js'
import type { Tool } from '../model/tool.js'
import { ownImplementation } from '../model/version.js'
import type { Source } from '../sources/source.js'
import type { StdioHost } from '../sources/stdio/sessions.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import type { SharedUse } from './held.js'
import { type McpServer, parseTransport } from './mcp-transport.js'
import { sharedStdioHost } from './stdio-host.js'

export interface McpServersOptions {
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
  /** For one call. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** For the handshake and the first list together. Default 30,000. */
  readonly startTimeoutMs?: number | undefined
}

/** A tool of a connected server. */
export interface RemoteTool {
  /** Its own name; with several servers in one transport, after its server's: `server_tool`, as FastMCP does. */
  readonly name: string
  readonly tool: Tool
  call(args: unknown, signal?: CancelSignal): Promise<Outcome>
  /** Where the connection lives in a thread of its own, which can be waited for. */
  readonly callSync?: ((args: unknown) => Outcome) | undefined
}

export interface OpenedServers {
  readonly tools: readonly RemoteTool[]
  /** Those that could not be reached, and why. */
  readonly failures: readonly { readonly server: string; readonly error: unknown }[]
}

/** MCP servers for the faces whose tools are functions: connected once, kept, supervised, closed together. */
export interface McpServers {
  /** Connects, or joins what an equal transport connected before. Throws SOURCE_INVALID for a transport that is none. */
  open(transport: unknown): Promise<OpenedServers>
  /** The same for a transport that was read already. */
  openAll(servers: readonly McpServer[]): Promise<OpenedServers>
  close(): Promise<void>
}

export const createMcpServers = (options: McpServersOptions = {}): McpServers => {
  const { clock = systemClock, logger = silentLogger, timeoutMs = 30_000 } = options
  // The servers check arguments themselves and answer in words that callers of document 003 expect.
  const gateway = createGateway({ clock, logger, timeoutMs, separator, validation: 'off' })
  const processes = sharedStdioHost(logger)
  const mounts = new Map<string, Promise<string>>()
  let held: SharedUse<StdioHost> | undefined

  const processesHeld = (): StdioHost => {
    held ??= processes.hold()
    return held.value
  }
  const sourceOf = async ({ name, reach, idleStopMs }: McpServer): Promise<Source> => {
    const { makeSource, proxyIn } = await import('../sources/make-source.js')
    const entry = { ...reach, idleStopMs, startTimeoutMs: options.startTimeoutMs }
    const folder = process.cwd()
    return makeSource(name, entry, {
      stdio: processesHeld,
      clientInfo: ownImplementation(),
      clock,
      logger,
      folder,
      proxy: proxyIn(process.env),
    })
  }
  const mount = async (server: McpServer): Promise<string> => {
    const source = await sourceOf(server)
    const name = freeName(gateway, server.name)
    const added = gateway.addSource(name, source, { namespace: name, timeoutMs: server.timeoutMs })
    try {
      await Promise.all([added, gateway.supervised(name)?.start()])
      return name
    } catch (error) {
      await gateway.removeSource(name)
      throw error
    }
  }
  const join = (server: McpServer): Promise<string> => {
    const key = keyOf(server)
    const mounted = mounts.get(key) ?? mount(server)
    mounts.set(key, mounted)
    mounted.catch(() => mounts.delete(key))
    return mounted
  }

  const openAll = async (servers: readonly McpServer[]): Promise<OpenedServers> => {
    const ended = await Promise.allSettled(servers.map(join))
    const tools: RemoteTool[] = []
    const failures: { server: string; error: unknown }[] = []
    ended.forEach((end, index) => {
      const server = servers[index]!
      if (end.status === 'rejected') failures.push({ server: server.name, error: end.reason })
      else tools.push(...toolsOf(gateway, end.value, servers.length > 1 ? `${server.name}_` : ''))
    })
    for (const { server, error } of failures)
      logger.log('error', `The MCP server '${server}' is not connected: ${messageOf(error)}`)
    return { tools, failures }
  }
  return {
    open: async (transport) => openAll(parseTransport(transport)),
    openAll,
    close: async () => {
      await gateway.close()
      await held?.release()
    },
  }
}

// Not in names of scripts and hosts, and seldom in those people choose.
const separator = '/'

const freeName = (gateway: Gateway, wanted: string): string => {
  const name = wanted.replaceAll(separator, '_')
  const taken = new Set(gateway.sources().map((source) => source.name))
  if (!taken.has(name)) return name
  let count = 2
  while (taken.has(`${name}-${count}`)) count += 1
  return `${name}-${count}`
}

const toolsOf = (gateway: Gateway, source: string, prefix: string): RemoteTool[] =>
  gateway
    .list()
    .filter((tool) => tool.source === source)
    .map((tool) => ({
      name: prefix + tool.name,
      tool,
      call: (args, signal) => gateway.call({ tool: tool.id, args, caller: localCaller, signal }),
    }))

/** A digest, since headers and variables hold secrets. */
const keyOf = (server: McpServer): string => createHash('sha256').update(JSON.stringify(server)).digest('base64')
