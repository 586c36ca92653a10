import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { isSigned, type Receiver, secret, startReceiver } from '../helpers/approval-board.js'
import { openRunning, type Running } from './open-running.js'

const serverFile = (name: string): string => fileURLToPath(new URL(`../helpers/servers/${name}.mjs`, import.meta.url))
const tool = (description: string) => [{ name: 'add', description, inputSchema: { type: 'object' } }]

let receiver: Receiver
let running: Running
let folder: string
let tools: string
const settings = (more: object = {}) => ({ webhooks: [{ url: receiver.url, secret }], ...more })
const office = () => ({ command: process.execPath, args: [serverFile('tools-from-file'), tools] })
beforeEach(async () => {
  receiver = await startReceiver()
  folder = mkdtempSync(join(tmpdir(), 'pegboard-webhooks-'))
  tools = join(folder, 'tools.json')
  writeFileSync(tools, JSON.stringify(tool('Adds.')))
})
afterEach(async () => {
  await running?.[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})
const told = () => receiver.received.map(({ message }) => `${message.type} ${message.subject.id}`)

describe('webhooks of a running gateway', () => {
  it('tell that a source is down, once however often it is tried again, and that it is back', async () => {
    writeFileSync(tools, 'no JSON at all')
    running = await openRunning(settings({ mcpServers: { office: office() } }))
    const down = await receiver.nth(1)
    expect(isSigned(down)).toBe(true)
    expect(down.message).toMatchObject({ type: 'source.down', subject: { type: 'source', id: 'office' } })
    expect(down.message.link).toBe(`${running.board.listener!.listensAt}/#/sources/office`)
    const office2 = running.board.gateway.supervised('office')!
    await office2.restart().catch(() => {})
    await office2.restart().catch(() => {})
    writeFileSync(tools, JSON.stringify(tool('Adds.')))
    await office2.restart()
    expect((await receiver.nth(2)).message).toMatchObject({ type: 'source.back', text: "The source 'office' is back." })
    expect(told()).toEqual(['source.down office', 'source.back office'])
  })

  it('tell of definitions that are held, and not again after a restart', async () => {
    running = await openRunning(settings({ mcpServers: { office: office() } }))
    await running.board.settled()
    writeFileSync(tools, JSON.stringify(tool('Adds, and sends them elsewhere.')))
    await running.board.gateway.supervised('office')!.restart()
    const held = await receiver.nth(1)
    expect(held.message).toMatchObject({
      ...{ type: 'approval.waiting', subject: { type: 'source', id: 'office' } },
      details: { kind: 'definitions', count: 1, items: ['office.add'] },
    })
    await running.restart()
    await running.board.settled()
    expect(running.board.reviewing.heldTools()).toHaveLength(1)
    running.board.gateway.register(defineTool({ name: 'last', handler: () => 1 }))
    expect(told()).toEqual(['approval.waiting office'])
  })

  it('tell of what the scanner found, by its rules and never by its words', async () => {
    const poisoned = { command: process.execPath, args: [serverFile('poisoned')] }
    running = await openRunning(settings({ mcpServers: { poisoned } }))
    await expect.poll(() => told().filter((each) => each === 'scanner.finding poisoned').length).toBeGreaterThan(0)
    const found = receiver.received.find(({ message }) => message.type === 'scanner.finding')!
    expect(found.message.details).toMatchObject({ severity: 'high', items: expect.arrayContaining(['poisoned.add']) })
    expect(found.body).not.toContain('id_rsa')
  })

  it('tell of calls that wait for a yes, without their arguments, and of quotas, once', async () => {
    running = await openRunning(
      settings({
        rules: [{ id: 'money', effect: 'ask', tools: ['refund'], when: { required: ['amount'] } }],
        profiles: { default: { limits: { callsPerMinute: 3 } } },
      }),
    )
    for (const name of ['refund', 'free']) running.board.gateway.register(defineTool({ name, handler: () => 1 }))
    const caller = { id: 'key:1', rights: ['call', 'discover'], profile: 'default' } as const
    await running.board.gateway.call({ tool: 'refund', args: { amount: 4711 }, caller })
    const asked = await receiver.nth(1)
    expect(asked.message).toMatchObject({ type: 'approval.waiting', subject: { type: 'call' } })
    expect(asked.message.details).toMatchObject({ kind: 'call', tool: 'refund', caller: 'key:1', rules: ['money'] })
    expect(asked.body).not.toContain('4711')
    for (let call = 0; call < 12; call++) await running.board.gateway.call({ tool: 'free', caller })
    expect((await receiver.nth(2)).message).toMatchObject({
      ...{ type: 'quota.reached', subject: { type: 'caller', id: 'key:1' }, details: { code: 'RATE_LIMITED' } },
    })
    expect(told()).toHaveLength(2)
  })

  it('tell of a circuit that opens and closes', async () => {
    running = await openRunning(settings({ calls: { timeoutMs: 20, breaker: { failures: 2 } } }))
    let isSilent = true
    const handler = () => (isSilent ? new Promise(() => {}) : 1)
    running.board.gateway.register(defineTool({ name: 'moody', handler }))
    for (let call = 0; call < 5; call++) await running.board.gateway.run('moody').catch(() => {})
    const { message } = await receiver.nth(1)
    expect(message).toMatchObject({
      ...{ type: 'circuit.open', subject: { type: 'tool', id: 'moody' }, details: { source: 'local' } },
    })
    isSilent = false
    // Until somebody may try again.
    await expect.poll(() => running.board.gateway.run('moody').catch(() => 0), { timeout: 20_000 }).toBe(1)
    expect((await receiver.nth(2)).message).toMatchObject({ type: 'circuit.closed', subject: { id: 'moody' } })
  })

  it('are followed while the gateway runs: an edit adds one, which hears how things stand', async () => {
    writeFileSync(tools, 'no JSON at all')
    running = await openRunning({ mcpServers: { office: office() } })
    await running.board.settled()
    expect(receiver.received).toEqual([])
    running.edit(settings({ mcpServers: { office: office() } }))
    expect((await receiver.nth(1)).message).toMatchObject({ type: 'source.down', subject: { id: 'office' } })
    const metrics = running.board.metricsPage()
    expect(metrics).toContain('pegboard_events_total{type="source.down",outcome="told"} 1')
    await expect
      .poll(() => running.board.metricsPage())
      .toMatch(/pegboard_webhook_messages_total\{host="127.0.0.1:\d+",outcome="sent"\} 1/)
  })

  it('harm no call and hold up no end while nobody answers there', async () => {
    await receiver[Symbol.asyncDispose]()
    receiver = await startReceiver(() => 'never')
    writeFileSync(tools, 'no JSON at all')
    running = await openRunning(settings({ mcpServers: { office: office() } }))
    await receiver.nth(1)
    running.board.gateway.register(defineTool({ name: 'free', handler: () => 'fine' }))
    expect(await running.board.gateway.run('free')).toBe('fine')
  })
})
