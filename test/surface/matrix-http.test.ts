import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { systemClock } from '../../src/model/clock.js'
import { createHttpSource } from '../../src/sources/http/http.js'
import { createStdioHost } from '../../src/sources/stdio/sessions.js'
import { createStdioSource } from '../../src/sources/stdio/stdio.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'
import type { BoardClient } from './clients/board-client.js'
import { v1OverHttp } from './clients/sdk-v1.js'
import { v2OverHttp } from './clients/sdk-v2.js'
import { startHttpFixture, stdioFixture } from './start-servers.js'
import { expected, tellStory } from './story.js'

const clients: Record<string, (url: string) => Promise<BoardClient>> = { legacy: v1OverHttp, modern: v2OverHttp }
const sources = ['stdio_legacy', 'stdio_modern', 'http_legacy', 'http_modern', 'stdio_dual', 'http_dual']

let served: ServedFixture
const cleanup: (() => unknown)[] = []

beforeAll(async () => {
  const gateway = createGateway()
  const host = createStdioHost({ clock: systemClock, logger: silentLogger, hostEnv: process.env })
  const [legacy, modern, dual] = await Promise.all([
    startHttpFixture('legacy'),
    startHttpFixture('modern'),
    startHttpFixture('dual'),
  ])
  cleanup.push(legacy.stop, modern.stop, dual.stop, () => host.close())
  const common = (name: string) => ({
    name,
    clientInfo: { name: 'pegboard', version: '0' },
    clock: systemClock,
    logger: silentLogger,
  })
  await Promise.all([
    gateway.addSource(
      'stdio_legacy',
      createStdioSource({ ...common('stdio_legacy'), ...stdioFixture('legacy'), host }),
    ),
    gateway.addSource(
      'stdio_modern',
      createStdioSource({ ...common('stdio_modern'), ...stdioFixture('modern'), host }),
    ),
    gateway.addSource('http_legacy', createHttpSource({ ...common('http_legacy'), url: legacy.url })),
    gateway.addSource('http_modern', createHttpSource({ ...common('http_modern'), url: modern.url })),
    gateway.addSource('stdio_dual', createStdioSource({ ...common('stdio_dual'), ...stdioFixture('dual'), host })),
    gateway.addSource('http_dual', createHttpSource({ ...common('http_dual'), url: dual.url })),
  ])
  served = await serveFixture(gateway)
})

afterAll(async () => {
  await served?.close()
  for (const task of cleanup) await task()
})

describe('asking back and following, over HTTP', () => {
  // One after the other: a process that callers share can be asked for one of them at a time.
  describe.each(Object.keys(clients))('%s client', (era) => {
    it.each(sources)('× %s: nothing is lost', async (source) => {
      const client = await clients[era]!(served.url)
      try {
        expect(await tellStory(client, source, era)).toEqual(expected)
      } finally {
        await client.close()
      }
    })
  })
})
