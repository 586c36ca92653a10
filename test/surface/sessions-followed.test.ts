import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { systemClock } from '../../src/model/clock.js'
import { createSeals } from '../../src/model/seal.js'
import { openSessionMemory } from '../../src/serving/session-memory.js'
import { createMemoryCommons } from '../../src/storage/memory/memory-commons.js'
import type { Storage } from '../../src/storage/storage.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'
import { createSurfaceSource } from './surface-source.js'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const uris = Array.from({ length: 6 }, (_, at) => `note://${at}`)
const seal = createSeals('a secret of thirty-two characters').of('session')

/** A replica with a source of its own, as far as sessions go. */
const openReplica = async (commons: Storage['commons']) => {
  const source = createSurfaceSource({ resources: uris.map((uri) => ({ uri, name: uri })) })
  const gateway = createGateway()
  await gateway.addSource('notes', source)
  const memory = await openSessionMemory({ commons } as Storage, { clock: systemClock, logger: silentLogger })
  const served = await serveFixture(gateway, { seal, memory })
  cleanup.push(served.close, () => memory.close())
  return { ...served, source }
}

const ask = ({ url }: ServedFixture, method: string, params: object, id?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }

/** Reads a session's stream; resolves when its text holds all of these. */
const listenAt = async ({ url }: ServedFixture, id: string) => {
  const leaving = new AbortController()
  cleanup.push(() => leaving.abort())
  const headers = { 'mcp-session-id': id, accept: 'text/event-stream' }
  const { body } = await fetch(url, { headers, signal: leaving.signal })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async (...wanted: readonly string[]): Promise<string> => {
    while (!wanted.every((each) => text.includes(each))) text += (await reader.read()).value ?? ''
    return text
  }
}

describe('resources that a session follows over replicas', () => {
  it('are told on its stream, wherever it subscribed, also five at once; and no longer when it left one', async () => {
    const world = createMemoryCommons()
    const [one, two, three] = [
      await openReplica(world.of()),
      await openReplica(world.of()),
      await openReplica(world.of()),
    ]
    const id = (await ask(one, 'initialize', hello)).headers.get('mcp-session-id')!
    const before = await ask(two, 'resources/subscribe', { uri: uris[0] }, id)
    expect(before.status).toBe(200)
    // What was followed before there was a stream, and what is followed elsewhere while there is one.
    const heard = await listenAt(one, id)
    await expect.poll(() => one.source.followed.has(uris[0]!)).toBe(true)
    await Promise.all(
      uris.slice(1).map((uri, at) => ask([one, two, three][at % 3]!, 'resources/subscribe', { uri }, id)),
    )
    await expect.poll(() => [...one.source.followed].sort()).toEqual(uris)
    for (const uri of uris) one.source.update(uri)
    await heard(...uris)
    await ask(three, 'resources/unsubscribe', { uri: uris[2] }, id)
    await expect.poll(() => [...one.source.followed].sort()).toEqual(uris.filter((uri) => uri !== uris[2]))
    // Its stream breaks and is opened at another replica.
    const again = await listenAt(three, id)
    await expect.poll(() => [...three.source.followed].sort()).toEqual(uris.filter((uri) => uri !== uris[2]))
    three.source.update(uris[4]!)
    await again(uris[4]!)
    expect((await fetch(two.url, { method: 'DELETE', headers: { 'mcp-session-id': id } })).status).toBe(204)
    await expect.poll(() => [one, two, three].map(({ source }) => source.followed.size)).toEqual([0, 0, 0])
  })
})
