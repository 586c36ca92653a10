import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { createGateway, type Gateway } from '../../gateway.js'
import type { HttpExchange } from '../../http/route.js'
import { localCaller } from '../../model/caller.js'
import { toRoute } from '../../operations/to-route.js'
import { silentLogger } from '../../telemetry/logger.js'
import { createCallLog } from './call-log.js'
import { createEvents } from './events.js'
import type { AdminBoard } from './face.js'
import { createLogRing, type LogRing } from './log-ring.js'

/** As much of a response as a stream needs; remembers what was written. */
class Page extends EventEmitter {
  readonly written: string[] = []
  writableLength = 0
  writeHead(): void {}
  write(text: string): void {
    this.written.push(text)
  }
  end(): void {
    this.emit('close')
  }
  messages(kind: string): number {
    return this.written.filter((text) => text.startsWith(`event: ${kind}`)).length
  }
}

describe('events', () => {
  let clock: VirtualClock
  let gateway: Gateway
  let events: ReturnType<typeof createEvents>
  let changed: () => void
  let page: Page
  let ring: LogRing

  beforeEach(() => {
    clock = new VirtualClock()
    gateway = createGateway({ clock })
    gateway.register({ definition: { name: 'greet', inputSchema: { type: 'object' } }, handler: () => 'hi' } as never)
    const parked = {
      list: () => [],
      cancel: () => false,
      onChange: (listener: () => void) => {
        changed = listener
        return () => {}
      },
    }
    ring = createLogRing({ logger: silentLogger, clean: (text) => text, clock })
    const board = {
      gateway,
      logsAfter: ring.after,
      parked,
      sources: { list: () => [] },
      approvals: { list: () => [], waiting: () => 0 },
    } as unknown as AdminBoard
    const log = createCallLog({ gateway, clock, clean: (text) => text })
    events = createEvents({ board, log, clock })
    page = new Page()
    const exchange = { response: page, onDrain: () => {}, shares: gateway.shares, caller: localCaller }
    toRoute(events.operation).handle(exchange as unknown as HttpExchange)
  })
  afterEach(async () => {
    events.close()
    await gateway.close()
  })

  it('are at most ten messages a second to a page, whatever happens, and hold all calls', async () => {
    const seconds = 10
    for (let at = 0; at < seconds * 50; at++) {
      for (let n = 0; n < 10; n++) await gateway.run('greet', {})
      gateway.register({ definition: { name: `t${at}`, inputSchema: { type: 'object' } }, handler: () => '' } as never)
      changed()
      ring.logger.log('info', 'still busy')
      await clock.advance(20)
    }
    const told = page.written.filter((text) => text.startsWith('event: '))
    expect(told.length).toBeLessThanOrEqual(seconds * 10)
    for (const kind of ['calls', 'sources', 'catalog', 'parked', 'logs'])
      expect(page.messages(kind), kind).toBeGreaterThanOrEqual(seconds)
    const counts = told
      .filter((text) => text.startsWith('event: calls'))
      .map((text) => JSON.parse(/^data: (.*)$/m.exec(text)![1]!))
    expect(counts.reduce((sum, { calls, missed }) => sum + calls.length + missed, 0)).toBe(seconds * 500)
  })

  it('tell of a minute that ended since they last told of it', async () => {
    const intoMinute = clock.wall() % 60_000
    await clock.advance(59_900 - intoMinute)
    for (let n = 0; n < 3; n++) await gateway.run('greet', {})
    await clock.advance(200)
    for (let n = 0; n < 2; n++) await gateway.run('greet', {})
    await clock.advance(500)
    const minutes = new Map<number, number>()
    for (const text of page.written.filter((each) => each.startsWith('event: calls')))
      for (const { at, calls } of JSON.parse(/^data: (.*)$/m.exec(text)![1]!).minutes) minutes.set(at, calls)
    expect([...minutes.values()]).toEqual([3, 2])
  })

  it('tell what is logged, once, and how much of a flood is left out (G10)', async () => {
    ring.logger.child('fleet').log('warn', 'one', { source: 'office' })
    await clock.advance(1000)
    for (let n = 0; n < 500; n++) ring.logger.log('info', `line ${n}`)
    await clock.advance(5000)
    const told = page.written
      .filter((text) => text.startsWith('event: logs'))
      .map((text) => JSON.parse(/^data: (.*)$/m.exec(text)![1]!))
    expect(told).toHaveLength(2)
    expect(told[0].lines).toMatchObject([{ n: 1, level: 'warn', service: 'fleet', source: 'office', message: 'one' }])
    expect(told[1].lines.at(-1)).toMatchObject({ n: 501, message: 'line 499' })
    expect(told[1].lines.length + told[1].missed).toBe(500)
  })

  it('are none while nothing happens', async () => {
    await clock.advance(10_000)
    expect(page.written.filter((text) => text.startsWith('event: '))).toEqual([])
  })

  it('tell the last state although it came right after another', async () => {
    changed()
    await clock.advance(250)
    changed()
    await clock.advance(1000)
    expect(page.messages('parked')).toBe(2)
  })
})
