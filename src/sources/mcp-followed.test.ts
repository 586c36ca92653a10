import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
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

describe('followed resources', () => {
  it('are subscribed once at a legacy server however many follow, until the last one leaves', () => {
    const { link, told } = linkOf('legacy')
    const followed = createFollowed(new VirtualClock())
    followed.attach(link)
    const [one, other] = [followed.add('x://1'), followed.add('x://1')]
    one()
    one()
    expect(told).toEqual(['resources/subscribe x://1'])
    other()
    expect(told).toEqual(['resources/subscribe x://1', 'resources/unsubscribe x://1'])
  })

  it('are subscribed again at the next link', () => {
    const followed = createFollowed(new VirtualClock())
    followed.add('x://1')
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
    followed.add('x://1')
    followed.add('x://2')
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
