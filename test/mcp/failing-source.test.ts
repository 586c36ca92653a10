import { afterEach, describe, expect, it } from 'vitest'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { createMcpSource, type McpSource } from '../../src/sources/mcp-source.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { MemoryServer } from '../helpers/memory-server.js'
import { settle, VirtualClock } from '../helpers/virtual-clock.js'

let gateway: Gateway
afterEach(() => gateway?.close())

const clock = new VirtualClock()
const sourceOf = (name: string, server: MemoryServer): McpSource =>
  createMcpSource(
    { kind: 'stdio', sessionPerCaller: false, headerParams: false, connect: server.connect },
    {
      name,
      clientInfo: { name: 'test', version: '1' },
      clock,
      logger: silentLogger,
      era: 'legacy',
      restart: { random: () => 0.5 },
    },
  )

const setUp = async (refusal?: Error) => {
  gateway = createGateway({ clock })
  const [good, bad] = [new MemoryServer(), new MemoryServer()]
  bad.refusal = refusal
  await Promise.all([gateway.addSource('good', sourceOf('good', good)), gateway.addSource('bad', sourceOf('bad', bad))])
  return { good, bad, listed: () => gateway.list().map(({ id }) => id) }
}

describe('a failing source among others', () => {
  it('contributes nothing and is reported, while the rest is listed and called', async () => {
    const { listed } = await setUp(new Error('spawn ENOENT'))
    expect(listed()).toEqual(['good.add'])
    expect(gateway.sources().find(({ name }) => name === 'bad')).toMatchObject({
      tools: 0,
      status: { state: 'backing-off', reason: 'spawn ENOENT', nextRetryAt: expect.any(Number) },
    })
    expect(await gateway.run('good.add', { a: 1 })).toBe('add {"a":1}')
  })

  it('joins the list when it comes to life', async () => {
    const { bad, listed } = await setUp(new Error('spawn ENOENT'))
    const heard: string[] = []
    gateway.onSource(({ name, status }) => heard.push(`${name} ${status.state}`))
    bad.refusal = undefined
    await clock.advance(1000)
    expect(listed()).toEqual(['bad.add', 'good.add'])
    expect(heard).toEqual(['bad starting', 'bad ready'])
  })

  it('stays listed when its health checks go unanswered, and is called again with the next answer (U1)', async () => {
    const { bad, listed } = await setUp()
    bad.silent.add('ping')
    await clock.advance(70_000)
    expect(listed()).toEqual(['bad.add', 'good.add'])
    expect(gateway.sources().find(({ name }) => name === 'bad')?.status.state).toBe('degraded')
    await expect(gateway.run('bad.add')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    bad.silent.clear()
    await clock.advance(30_000)
    expect(await gateway.run('bad.add', { a: 1 })).toBe('add {"a":1}')
  })

  it('is restarted and stopped by its handle, which the others do not feel', async () => {
    const { good, bad, listed } = await setUp()
    await gateway.supervised('bad')!.restart()
    expect([bad.starts, good.starts]).toEqual([2, 1])
    await gateway.supervised('bad')!.stop()
    expect(listed()).toEqual(['good.add'])
    expect(await gateway.supervised('good')!.check()).toBe(true)
  })

  it('is called again as soon as it is back, however often it was called while it was away', async () => {
    const { bad } = await setUp()
    bad.refusal = new Error('gone')
    bad.crash()
    await settle()
    const retryAfterMs = expect.any(Number)
    for (let attempt = 0; attempt < 20; attempt++)
      await expect(gateway.run('bad.add')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', retryAfterMs })
    bad.refusal = undefined
    await clock.advance(60_000)
    expect(await gateway.run('bad.add', { a: 1 })).toBe('add {"a":1}')
  })
})
