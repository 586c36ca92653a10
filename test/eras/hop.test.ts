import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/model/clock.js'
import { createStdioHost } from '../../src/sources/stdio/sessions.js'
import { createStdioSource } from '../../src/sources/stdio/stdio.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import type { StoryClient } from '../helpers/clients/client.js'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { v1OverHttp } from '../helpers/clients/sdk-v1.js'
import { v2OverHttp } from '../helpers/clients/sdk-v2.js'
import { type BoardEra, boardCommand } from '../helpers/fixture-servers.js'
import { type Hop, hopCommon, startHop } from '../helpers/hop.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'
import { expectedOf, tellStory } from './story.js'

const clients: Record<string, (url: string) => Promise<StoryClient>> = {
  'SDK v1': v1OverHttp,
  'SDK v2 in modern mode': (url) => v2OverHttp('auto', url),
  'raw legacy': (url) => rawOverHttp('legacy', url),
  'raw modern': (url) => rawOverHttp('modern', url),
}
const names = { stdio_legacy: 'legacy', stdio_modern: 'modern', stdio_dual: 'dual' } as const

let served: ServedFixture
let hop: Hop
const host = createStdioHost({ clock: systemClock, logger: silentLogger, hostEnv: process.env })

beforeAll(async () => {
  const sourceOf = (name: string, era: BoardEra) =>
    createStdioSource({ ...hopCommon, name, ...boardCommand(era), host })
  hop = await startHop(Object.fromEntries(Object.entries(names).map(([name, era]) => [name, sourceOf(name, era)])))
  served = await serveFixture(hop.asker.gateway)
})

afterAll(async () => {
  await served?.close()
  await hop?.[Symbol.asyncDispose]()
  await host.close()
})

// Lists, calls, errors, progress, cancel, changes, prompts, resources, elicitation, sampling and roots: all of it asked at one
// replica of a process that runs at another.
describe('the era matrix over a hop', () => {
  describe.each(Object.keys(clients))('%s', (name) => {
    it.concurrent.each(Object.keys(names))('tells the same story about %s', async (source) => {
      const client = await clients[name]!(served.url)
      try {
        expect(await tellStory(client, source, name.replaceAll(' ', '_'))).toEqual(expectedOf(client))
      } finally {
        await client.close()
      }
    })
  })

  it('records a call where it came in, and as handed over where it ran', async () => {
    const records: unknown[] = []
    const stop = hop.holder.gateway.onCall(({ tool, caller, handedOver }) => records.push([tool, caller, handedOver]))
    const caller = { id: 'ann', rights: ['discover', 'call'] as const }
    const before = hop.holder.gateway.catalog.usage.of('stdio_legacy.echo').count
    const outcome = await hop.asker.gateway.call({ tool: 'stdio_legacy.echo', args: { text: 'x' }, caller })
    stop()
    expect(outcome.ok).toBe(true)
    expect(records).toEqual([['stdio_legacy.echo', 'ann', true]])
    expect(hop.holder.gateway.catalog.usage.of('stdio_legacy.echo').count).toBe(before)
  })
})
