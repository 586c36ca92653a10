import type { LineChannel } from '../../src/mcp/client/line-transport.js'
import { createLineTransport } from '../../src/mcp/client/line-transport.js'
import { createClientPeer } from '../../src/mcp/client/peer.js'
import type { Connect } from '../../src/sources/mcp-source-options.js'

interface Request {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string; readonly arguments?: unknown; readonly requestId?: unknown }
}

/**
 * A legacy MCP server at the other end of a wire in this process, whose every failing is up to the test. What is in
 * front of the wire (peer, transport, framing) is the real thing; only the process is not, so that a virtual clock rules.
 */
export class MemoryServer {
  tools = ['add']
  /** Methods it leaves unanswered. */
  readonly silent = new Set<string>()
  /** Methods at which it ends. */
  readonly endsAt = new Set<string>()
  /** Why it cannot be connected to. */
  refusal: Error | undefined
  /** Connections tried, and those open now. */
  starts = 0
  readonly open = new Set<(reason: Error | undefined) => void>()
  readonly received: Request[] = []
  #speak: ((line: string) => void)[] = []

  readonly connect: Connect = async (options) => {
    this.starts += 1
    if (this.refusal) throw this.refusal
    return createClientPeer(createLineTransport(this.#channel()), { ...options, clock: options.clock! })
  }

  count(method: string): number {
    return this.received.filter((request) => request.method === method).length
  }

  /** Ends every connection, as a process that dies does. */
  crash(reason = 'exit code 1'): void {
    for (const end of [...this.open]) end(new Error(reason))
  }

  announce(): void {
    for (const speak of this.#speak) speak('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')
  }

  #channel(): LineChannel {
    let speak: (line: string) => void = () => {}
    let closed: (reason: Error | undefined) => void = () => {}
    const end = (reason: Error | undefined): void => {
      if (!this.open.delete(end)) return
      this.#speak = this.#speak.filter((each) => each !== speak)
      closed(reason)
    }
    this.open.add(end)
    return {
      send: (line) => {
        const request = JSON.parse(String(line)) as Request
        this.received.push(request)
        if (this.endsAt.has(request.method)) return queueMicrotask(() => end(new Error('exit code 2')))
        if (request.id === undefined || this.silent.has(request.method)) return
        queueMicrotask(() => speak(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...this.#answer(request) })))
      },
      onLine: (listener) => {
        speak = listener
        this.#speak.push(listener)
      },
      onClose: (listener) => {
        closed = listener
      },
      close: () => end(undefined),
    }
  }

  #answer({ method, params }: Request): object {
    switch (method) {
      case 'initialize':
        return {
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: 'memory', version: '1' },
          },
        }
      case 'ping':
        return { result: {} }
      case 'tools/list':
        return { result: { tools: this.tools.map((name) => ({ name, inputSchema: { type: 'object' } })) } }
      case 'tools/call':
        return { result: { content: [{ type: 'text', text: `${params?.name} ${JSON.stringify(params?.arguments)}` }] } }
      default:
        return { error: { code: -32601, message: 'Method not found' } }
    }
  }
}
