import type { Dispatcher } from 'undici'
import { invalidAnswer } from './failure.js'
import type { Dispatched, HttpWire } from './http-dispatch.js'

export interface UndiciOptions {
  /** `env` reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; a URL names one. */
  readonly proxy: string
  readonly connections: number
  readonly connectTimeoutMs: number
  readonly headersTimeoutMs: number
}

/** For what our own connections do not do: proxies, and whatever dispatcher a program hands over, which then stays its own. */
export const createUndiciWire = (origin: string, how: Dispatcher | UndiciOptions): HttpWire =>
  new UndiciWire(origin, 'dispatch' in how ? how : undefined, 'dispatch' in how ? undefined : how)

class UndiciWire implements HttpWire {
  #dispatcher: Dispatcher | undefined
  #loading: Promise<Dispatcher> | undefined
  #closed = false
  readonly #origin: string
  readonly #options: UndiciOptions | undefined

  constructor(origin: string, dispatcher: Dispatcher | undefined, options: UndiciOptions | undefined) {
    this.#origin = origin
    this.#dispatcher = dispatcher
    this.#options = options
  }

  send(exchange: Dispatched): void {
    if (this.#dispatcher) this.#dispatch(this.#dispatcher, exchange)
    else {
      this.#loading ??= createDispatcher(this.#options!)
      this.#loading.then(
        (dispatcher) => {
          this.#dispatcher = dispatcher
          this.#dispatch(dispatcher, exchange)
        },
        (error: Error) => exchange.failed(error),
      )
    }
  }

  #dispatch(dispatcher: Dispatcher, exchange: Dispatched): void {
    if (exchange.over) return
    const { method, text, headers } = exchange
    const { path } = exchange.target
    try {
      if (this.#closed) throw Object.assign(new Error('closed'), { code: 'UND_ERR_CLOSED' })
      const request = { origin: this.#origin, path, method, headers: toList(headers), body: text ?? null }
      dispatcher.dispatch(request, new UndiciHandler(exchange))
    } catch (error) {
      exchange.failed(error as Error)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const dispatcher = this.#options && (await this.#loading?.catch(() => undefined))
    await dispatcher?.destroy().catch(() => {})
  }
}

const createDispatcher = async (options: UndiciOptions): Promise<Dispatcher> => {
  const { EnvHttpProxyAgent, ProxyAgent } = await import('undici')
  const settings = {
    connect: { timeout: options.connectTimeoutMs },
    connections: options.connections,
    headersTimeout: options.headersTimeoutMs,
    // A stream of notifications may be silent for hours; every request has a deadline of its own.
    bodyTimeout: 0,
    pipelining: 1,
  }
  return options.proxy === 'env' ? new EnvHttpProxyAgent(settings) : new ProxyAgent({ ...settings, uri: options.proxy })
}

/** Names and values in turn, which undici takes without another look. */
const toList = (lines: string): string[] =>
  lines.split('\r\n').flatMap((line) => {
    const cut = line.indexOf(':')
    return cut < 0 ? [] : [line.slice(0, cut), line.slice(cut + 2)]
  })

/** undici's words for what happens, in ours. */
class UndiciHandler implements Dispatcher.DispatchHandler {
  readonly #exchange: Dispatched

  constructor(exchange: Dispatched) {
    this.#exchange = exchange
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Cancelled while it waited for a connection: aborting here keeps it from being written at all.
    if (this.#exchange.over) controller.abort(new Error('cancelled'))
    else this.#exchange.requestStarted(controller)
  }

  onRequestUpgrade(): void {
    this.#exchange.fail(invalidAnswer(`${this.#exchange.target.origin} tried to change the protocol.`))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    const get = (name: string): string | undefined => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    }
    this.#exchange.answerStarted(status, { get })
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#exchange.bytesCame(chunk)
  }

  onResponseEnd(): void {
    this.#exchange.answerEnded()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#exchange.failed(error)
  }
}
