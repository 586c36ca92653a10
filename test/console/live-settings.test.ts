import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '../../src/errors.js'
import { localCaller } from '../../src/model/caller.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { codeOf } from '../helpers/start-call.js'

describe('how calls are carried and what the listener takes', () => {
  let server: OpenedAdmin
  let key: string
  let tries = 0
  beforeEach(async () => {
    server = await openAdminServer('{ "calls": { "concurrency": 700 } }')
    key = await server.key('admin')
    tries = 0
    server.gateway.register(defineTool({ name: 'hang', handler: () => new Promise(() => {}) }))
    server.gateway.register(
      defineTool({
        name: 'down',
        idempotent: true,
        handler: () => {
          tries += 1
          throw new GatewayError('SOURCE_UNAVAILABLE', 'gone', { notSent: true })
        },
      }),
    )
    server.gateway.register(defineTool({ name: 'quick', handler: () => 'done' }))
  })
  afterEach(() => server[Symbol.asyncDispose]())

  const set = async (changes: Record<string, unknown>) => {
    const { status, body } = await server.ask('PUT', '/settings', { key, body: { changes } })
    expect([status, body.error]).toEqual([200, undefined])
    return body.fields as { path: string; value: unknown; live: boolean; waits: boolean }[]
  }
  const call = (tool: string, more = {}) => server.gateway.call({ tool, caller: localCaller, ...more })

  it('are read from the file (O8)', () => {
    expect(server.gateway.load().limits).toEqual({ running: 700, runningPerTool: 256, waiting: 1024 })
  })

  it('count at once where the settings page changes them: bounds, time, retries, breaker, rate (O8)', async () => {
    await set({ 'calls.concurrency': 9, 'calls.concurrencyPerTool': 8, 'calls.queue': 7 })
    expect(server.gateway.load().limits).toEqual({ running: 9, runningPerTool: 8, waiting: 7 })
    await set({ 'calls.timeoutMs': 20 })
    const late = await call('hang')
    expect(late.ok || late.error).toMatchObject({ code: 'DEADLINE_EXCEEDED', details: { timeoutMs: 20 } })
    await set({ 'calls.timeoutMs': 50_000, 'calls.retry.attempts': 3, 'calls.retry.backoffMs': 1 })
    expect((await call('down')).meta.attempts).toBe(3)
    expect(tries).toBe(3)
    await set({ 'calls.breaker.failures': 2, 'calls.breaker.openMs': 600_000 })
    expect([codeOf(await call('down')), codeOf(await call('down'))]).toEqual(['SOURCE_UNAVAILABLE', 'CIRCUIT_OPEN'])
    await set({ 'calls.breaker.failures': 0 })
    expect(codeOf(await call('down'))).toBe('SOURCE_UNAVAILABLE')
    await set({ 'calls.rate.calls': 1, 'calls.rate.perMs': 600_000 })
    expect([codeOf(await call('quick')), codeOf(await call('quick'))]).toEqual(['ok', 'RATE_LIMITED'])
    await set({ 'calls.rate.calls': 0, 'calls.maxDepth': 1 })
    expect(codeOf(await call('quick'))).toBe('ok')
    const nested = { parent: { tool: 'quick', args: {}, depth: 1 } }
    expect(codeOf(await call('quick', nested))).toBe('LOOP_DETECTED')
  })

  it('let in who waits as soon as there is more room (O8)', async () => {
    await set({ 'calls.concurrencyPerTool': 1 })
    const leaving = new AbortController()
    const waiting = [call('hang', { signal: leaving.signal }), call('hang', { signal: leaving.signal })]
    await expect.poll(() => server.gateway.load().sources).toMatchObject([{ running: 1, waiting: 1 }])
    await set({ 'calls.concurrencyPerTool': 2 })
    expect(server.gateway.load().sources).toMatchObject([{ running: 2, waiting: 0 }])
    leaving.abort()
    await Promise.all(waiting)
  })

  it('count at once for the listener too, but for two that it has from its start (O8)', async () => {
    const post = () =>
      fetch(`${server.url}/api/v1/tools/quick/call`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'x'.repeat(3000) }),
      })
    expect((await post()).status).toBe(200)
    await set({ 'server.limits.maxBodyBytes': 2048 })
    expect((await post()).status).toBe(413)
    await set({ 'server.limits.maxBodyBytes': null })
    expect((await post()).status).toBe(200)
    const fields = await set({ 'server.limits.maxHeaderBytes': 4096, 'server.limits.checkIntervalMs': 500 })
    const waits = fields.filter((field) => field.waits).map(({ path }) => path)
    expect(waits.sort()).toEqual(['server.limits.checkIntervalMs', 'server.limits.maxHeaderBytes'])
  })

  it('count at once where somebody edits the file (O8)', async () => {
    writeFileSync(server.file, readFileSync(server.file, 'utf8').replace('700', '701'))
    await expect.poll(() => server.gateway.load().limits.running).toBe(701)
  })

  it('are refused outside of their bounds, and what runs stays as it was (O8)', async () => {
    for (const changes of [
      { 'calls.concurrency': 0 },
      { 'calls.retry.attempts': 11 },
      { 'server.limits.maxBodyBytes': 10 },
      { 'server.drainMs': -1 },
    ]) {
      const { status, body } = await server.ask('PUT', '/settings', { key, body: { changes } })
      expect([status, body.error.code]).toEqual([400, 'CONFIG_INVALID'])
    }
    expect(server.gateway.load().limits.running).toBe(700)
  })
})
