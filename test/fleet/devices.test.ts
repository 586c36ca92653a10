import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { baseConfig, counter, type FleetProcesses, startFleet } from './replicas.mjs'

// A guard against what never comes; a busy machine takes its time.
const patience = { timeout: 60_000 }

/** Where a voice device is reached: it takes whoever comes, as a relay does. */
class Device {
  readonly #server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  readonly open = new Set<WebSocket>()
  dialled = 0
  mostAtOnce = 0

  constructor() {
    this.#server.on('connection', (socket) => {
      this.dialled += 1
      this.open.add(socket)
      this.mostAtOnce = Math.max(this.mostAtOnce, this.open.size)
      socket.on('error', () => {})
      socket.on('close', () => this.open.delete(socket))
    })
  }

  async listening(): Promise<this> {
    if (!this.#server.address()) await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`
  }

  /** What it is told when it asks whoever has dialled it. */
  ask(method: string, params: object = {}): Promise<any> {
    const [socket] = this.open
    return new Promise((resolve, reject) => {
      socket!.once('message', (data) => resolve(JSON.parse(String(data))))
      socket!.once('close', () => reject(new Error('It hung up.')))
      socket!.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    })
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.terminate()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

let fleet: FleetProcesses | undefined
let device: Device | undefined
afterEach(async () => {
  await fleet?.dispose()
  await device?.close()
  fleet = undefined
})

describePostgres('a voice device of three replicas', () => {
  it('is dialled by one of them, by another when that is killed, and by the last when that leaves', async () => {
    const here = (device = await new Device().listening())
    const config = baseConfig({
      server: { firstListMs: 60_000 },
      sources: { counter: counter() },
      xiaozhi: { endpoints: [{ name: 'speaker', url: here.url }] },
    })
    const three = (fleet = await startFleet({ url: await newDatabase(), config, leaseMs: 2000, drainMs: 500 }))
    await three.ready()
    const held = /Held here: xiaozhi:/
    const holder = async (among: readonly FleetProcesses['replicas'][number][]) => {
      await vi.waitUntil(() => among.some((each) => held.test(each.log())), patience)
      await vi.waitUntil(() => here.open.size === 1, patience)
      return among.find((each) => held.test(each.log()))!
    }
    const speaks = async (): Promise<void> => {
      const hello = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'speaker', version: '1' } }
      expect((await here.ask('initialize', hello)).result.serverInfo).toBeDefined()
      expect((await here.ask('tools/list')).result.tools.length).toBeGreaterThan(0)
    }

    const first = await holder(three.replicas)
    await speaks()
    expect(here.dialled).toBe(1)
    await first.stop('SIGKILL')
    await vi.waitUntil(() => here.dialled === 2, patience)
    const two = three.replicas.filter((each) => each !== first)
    const second = await holder(two)
    await speaks()
    const last = two.find((each) => each !== second)!
    expect(await second.stop('SIGTERM')).toBe(0)
    await vi.waitUntil(() => here.dialled === 3, patience)
    expect(await holder([last])).toBe(last)
    await speaks()
    // Nobody threw anybody out.
    expect([here.dialled, here.mostAtOnce]).toEqual([3, 1])
  }, 180_000)
})
