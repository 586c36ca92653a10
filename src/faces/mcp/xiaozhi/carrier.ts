import { createDialGate } from './dial-gate.js'
import { Endpoint, type EndpointSettings, type LinkOptions } from './endpoint.js'
import type { EndpointStatus } from './status.js'

export interface XiaozhiOptions extends LinkOptions {
  readonly endpoints: readonly EndpointSettings[]
}

/** The xiaozhi carrier: dials out to every endpoint and serves the MCP face there. They share nothing but the gate. */
export interface XiaozhiCarrier {
  start(): void
  /** Follows a changed configuration: what did not change keeps its connection. */
  update(endpoints: readonly EndpointSettings[]): Promise<void>
  status(): readonly EndpointStatus[]
  /** Told when an endpoint changes its state. */
  onStatus(listener: (status: EndpointStatus) => void): () => void
  /** Leaves all endpoints. Resolves when every socket is closed. */
  close(): Promise<void>
}

const mostDials = 5

interface Running {
  readonly key: string
  readonly endpoint: Endpoint
}

export const createXiaozhiCarrier = (options: XiaozhiOptions): XiaozhiCarrier => {
  const gate = createDialGate(mostDials)
  const listeners = new Set<(status: EndpointStatus) => void>()
  let running: readonly Running[] = []
  let started = false

  const open = (settings: EndpointSettings): Running => {
    const name = settings.name ?? freeName(running)
    const endpoint: Endpoint = new Endpoint(name, settings, {
      ...options,
      gate,
      onStatus: () => {
        for (const listener of listeners) listener(endpoint.status)
      },
    })
    if (started) endpoint.start()
    return { key: keyOf(settings), endpoint }
  }
  const openAll = (endpoints: readonly EndpointSettings[]): void => {
    for (const settings of endpoints)
      if (!running.some(({ key }) => key === keyOf(settings))) running = [...running, open(settings)]
  }
  openAll(options.endpoints)

  return {
    start: () => {
      started = true
      for (const { endpoint } of running) endpoint.start()
    },
    update: async (endpoints) => {
      const wanted = new Set(endpoints.map(keyOf))
      const gone = running.filter(({ key }) => !wanted.has(key))
      running = running.filter(({ key }) => wanted.has(key))
      // Before the new ones dial: the same address with another profile must not meet itself at the relay (X8).
      await Promise.all(gone.map(({ endpoint }) => endpoint.stop()))
      openAll(endpoints)
    },
    status: () => running.map(({ endpoint }) => endpoint.status),
    onStatus: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: async () => {
      started = false
      await Promise.all(running.map(({ endpoint }) => endpoint.stop()))
      listeners.clear()
    },
  }
}

/** Equal settings are one endpoint; functions in them are the same for one configuration. */
const keyOf = (settings: EndpointSettings): string => JSON.stringify(settings)

const freeName = (running: readonly Running[]): string => {
  const taken = new Set(running.map(({ endpoint }) => endpoint.status.name))
  let number = 1
  while (taken.has(`xiaozhi-${number}`)) number += 1
  return `xiaozhi-${number}`
}
