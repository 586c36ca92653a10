import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { systemClock } from '../../src/model/clock.js'
import { createHttpSource } from '../../src/sources/http/http.js'
import { createStdioHost } from '../../src/sources/stdio/sessions.js'
import { createStdioSource } from '../../src/sources/stdio/stdio.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import type { StoryClient } from '../helpers/clients/client.js'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { v1OverHttp } from '../helpers/clients/sdk-v1.js'
import { v2OverHttp } from '../helpers/clients/sdk-v2.js'
import { fixtureCommand, startFixture } from '../helpers/fixture-servers.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'
import { expected, tellStory } from './story.js'

const clients: Record<string, (url: string) => Promise<StoryClient>> = {
  'SDK v1': v1OverHttp,
  'SDK v2 in legacy mode': (url) => v2OverHttp('legacy', url),
  'SDK v2 in modern mode': (url) => v2OverHttp('auto', url),
  'raw legacy': (url) => rawOverHttp('legacy', url),
  'raw modern': (url) => rawOverHttp('modern', url),
}
const sources = { stdio_legacy: 'legacy', stdio_modern: 'modern', http_legacy: 'legacy', http_modern: 'modern' }

let served: ServedFixture
const cleanup: (() => unknown)[] = []

beforeAll(async () => {
  const gateway = createGateway()
  const host = createStdioHost({ clock: systemClock, logger: silentLogger, hostEnv: process.env })
  const [legacy, modern] = await Promise.all([startFixture('http-legacy'), startFixture('http-modern')])
  cleanup.push(legacy.stop, modern.stop, () => host.close())
  const common = (name: string) => ({
    name,
    clientInfo: { name: 'pegboard', version: '0' },
    clock: systemClock,
    logger: silentLogger,
  })
  await Promise.all([
    gateway.addSource(
      'stdio_legacy',
      createStdioSource({ ...common('stdio_legacy'), ...fixtureCommand('stdio-legacy'), host }),
    ),
    gateway.addSource(
      'stdio_modern',
      createStdioSource({ ...common('stdio_modern'), ...fixtureCommand('stdio-modern'), host }),
    ),
    gateway.addSource('http_legacy', createHttpSource({ ...common('http_legacy'), url: legacy.url })),
    gateway.addSource('http_modern', createHttpSource({ ...common('http_modern'), url: modern.url })),
  ])
  served = await serveFixture(gateway)
})

afterAll(async () => {
  await served?.close()
  for (const task of cleanup) await task()
})

describe('the era matrix over HTTP', () => {
  it('has sources of both eras', () => {
    const eras = served.gateway.sources().map(({ name, status }) => [name, status.peer?.era])
    expect(Object.fromEntries(eras)).toMatchObject(sources)
  })

  describe.each(Object.keys(clients))('%s', (client) => {
    it.concurrent.each(Object.keys(sources))('tells the same story about %s', async (source) => {
      const open = await clients[client]!(served.url)
      try {
        expect(await tellStory(open, source, client.replaceAll(' ', '_'))).toEqual(expected)
      } finally {
        await open.close()
      }
    })
  })
})
