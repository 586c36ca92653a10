import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { GatewayError } from '../errors.js'
import type { JsonObject } from '../model/json.js'
import { createFollowed } from './mcp-followed.js'
import type { McpLink } from './mcp-link.js'

/** A link that writes down what it is told. */
const linkOf = (era: 'legacy' | 'modern') => {
  const told: string[] = []
  const streams: { readonly wishes: JsonObject; stopped: boolean }[] = []
  const capabilities = { prompts: { listChanged: true }, resources: { subscribe: true } }
  const link = {
    info: { era, capabilities },
    own: async (method: string, { uri }: JsonObject) => {
      told.push(`${method} ${String(uri)}`)
      return {}
    },
    listen: (wishes: JsonObject) => {
      const stream = { wishes, stopped: false }
      streams.push(stream)
      return () => {
        stream.stopped = true
      }
    },
  }
  return { link: link as unknown as McpLink, told, streams }
}

const stopOf = (added: (() => void) | GatewayError): (() => void) => {
  if (typeof added !== 'function') throw added
  return added
}

describe('followed resources', () => {
  it('are subscribed once at a legacy server however many follow, until the last one leaves', () => {
    const { link, told } = linkOf('legacy')
    const followed = createFollowed(new VirtualClock())
    followed.attach(link)
    const [one, other] = [stopOf(followed.add('x://1', 'ann')), stopOf(followed.add('x://1', 'bob'))]
    one()
    one()
    expect(told).toEqual(['resources/subscribe x://1'])
    other()
    expect(told).toEqual(['resources/subscribe x://1', 'resources/unsubscribe x://1'])
  })

  it('are shared: whoever follows all that it can leaves room for others, and gets it back by leaving (S10)', () => {
    const followed = createFollowed(new VirtualClock())
    const stops: (() => void)[] = []
    const fill = (caller: string): number => {
      for (let at = 0; ; at++) {
        const added = followed.add(`x://${caller}/${at}`, caller)
        if (typeof added !== 'function') return at
        stops.push(added)
      }
    }
    const greedy = fill('greedy')
    expect(greedy).toBeGreaterThan(8000)
    expect(fill('second')).toBeGreaterThan(500)
    expect(typeof followed.add('x://victim', 'victim')).toBe('function')
    // What somebody follows already costs the server nothing more.
    expect(typeof followed.add('x://victim', 'greedy')).toBe('function')
    expect(followed.add('x://more', 'greedy')).toMatchObject({ code: 'OVERLOADED', details: { bound: 'followed' } })
    for (const stop of stops) stop()
    expect(fill('second')).toBeGreaterThan(8000)
  })

  it('are subscribed again at the next link', () => {
    const followed = createFollowed(new VirtualClock())
    followed.add('x://1', 'ann')
    const { link, told } = linkOf('legacy')
    followed.attach(link)
    followed.detach()
    followed.attach(link)
    expect(told).toEqual(['resources/subscribe x://1', 'resources/subscribe x://1'])
  })

  it('are one stream at a modern server; the next set replaces it without a gap', async () => {
    const clock = new VirtualClock()
    const { link, streams } = linkOf('modern')
    const followed = createFollowed(clock)
    followed.attach(link)
    followed.add('x://1', 'ann')
    followed.add('x://2', 'ann')
    await clock.advance(0)
    expect(streams.map(({ wishes }) => wishes)).toEqual([
      { promptsListChanged: true },
      { promptsListChanged: true, resourceSubscriptions: ['x://1', 'x://2'] },
    ])
    expect(streams[0]!.stopped).toBe(false)
    await clock.advance(1000)
    expect(streams.map(({ stopped }) => stopped)).toEqual([true, false])
    followed.detach()
    expect(streams[1]!.stopped).toBe(true)
  })
})
