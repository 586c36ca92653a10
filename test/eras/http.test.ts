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
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'
import { eras, sourceNames, startSources } from './sources.js'
import { expectedOf, tellStory } from './story.js'

const clients: Record<string, (url: string) => Promise<StoryClient>> = {
  'SDK v1': v1OverHttp,
  'SDK v2 in legacy mode': (url) => v2OverHttp('legacy', url),
  'SDK v2 in modern mode': (url) => v2OverHttp('auto', url),
  'raw legacy': (url) => rawOverHttp('legacy', url),
  'raw modern': (url) => rawOverHttp('modern', url),
}

let served: ServedFixture
const cleanup: (() => unknown)[] = []

beforeAll(async () => {
  const gateway = createGateway()
  const host = createStdioHost({ clock: systemClock, logger: silentLogger, hostEnv: process.env })
  const { entries, stop } = await startSources()
  cleanup.push(stop, () => host.close())
  const common = { clientInfo: { name: 'pegboard', version: '0' }, clock: systemClock, logger: silentLogger }
  const sourceOf = (name: keyof typeof entries) => {
    const entry = entries[name]
    return entry.type === 'stdio'
      ? createStdioSource({ ...common, name, command: entry.command, args: entry.args, host })
      : createHttpSource({ ...common, name, url: entry.url })
  }
  await Promise.all(sourceNames.map((name) => gateway.addSource(name, sourceOf(name))))
  served = await serveFixture(gateway)
})

afterAll(async () => {
  await served?.close()
  for (const task of cleanup) await task()
})

describe('the era matrix over HTTP', () => {
  it('has sources of both eras', () => {
    const found = served.gateway.sources().map(({ name, status }) => [name, status.peer?.era])
    const { stdio_dual: _pipe, http_dual: _http, ...single } = eras
    expect(Object.fromEntries(found)).toMatchObject(single)
  })

  // One client after the other: a process that callers share can be asked for one of them at a time.
  describe.each(Object.keys(clients))('%s', (name) => {
    it.concurrent.each(sourceNames)('tells the same story about %s', async (source) => {
      const client = await clients[name]!(served.url)
      try {
        expect(await tellStory(client, source, name.replaceAll(' ', '_'))).toEqual(expectedOf(client))
      } finally {
        await client.close()
      }
    })
  })
})
