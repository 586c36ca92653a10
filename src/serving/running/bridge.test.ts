import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createBridge, type FarSide } from './bridge.js'

/** A gateway in the test's hands: what it heard, and how to let it speak or die. */
const gateway = () => {
  const input = new PassThrough()
  const output = new PassThrough()
  let heard = ''
  input.on('data', (chunk: Buffer) => {
    heard += chunk
  })
  const side: FarSide = { input, output, close: () => void output.destroy() }
  return {
    side,
    heard: () => lines(heard),
    say: (message: object) => void output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    die: () => void output.destroy(),
  }
}
const lines = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const start = (reopen: () => Promise<FarSide> = () => Promise.reject(new Error('none'))) => {
  const [input, output, first] = [new PassThrough(), new PassThrough(), gateway()]
  let read = ''
  output.on('data', (chunk: Buffer) => {
    read += chunk
  })
  const bridge = createBridge({ input, output, first: first.side, reopen })
  const ask = (message: object) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return { input, first, bridge, ask, read: () => lines(read) }
}
const hello = { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } }

describe('a bridge (U5)', () => {
  it('hands lines on both ways as they are', async () => {
    const { first, ask, read, bridge } = start()
    ask(hello)
    await expect.poll(first.heard).toMatchObject([hello])
    first.say({ id: 1, result: {} })
    await expect.poll(read).toMatchObject([{ id: 1, result: {} }])
    bridge.close()
    await bridge.ended
  })

  it('answers what was open when the gateway died, and brings the next one to where it was', async () => {
    const second = gateway()
    const { first, ask, read, bridge } = start(async () => second.side)
    ask(hello)
    ask({ method: 'notifications/initialized' })
    ask({ id: 2, method: 'resources/subscribe', params: { uri: 'file:///a' } })
    await expect.poll(() => first.heard().length).toBe(3)
    first.say({ id: 1, result: {} })
    first.say({ id: 2, result: {} })
    first.say({ id: 'q', method: 'elicitation/create' })
    ask({ id: 3, method: 'tools/call', params: { name: 'slow' } })
    await expect.poll(() => first.heard().length).toBe(4)
    await expect.poll(() => read().length).toBe(3)
    first.die()
    await expect.poll(() => second.heard().map(({ method }) => method)).toEqual(['initialize'])
    expect(read().slice(3)).toMatchObject([
      { id: 3, error: { data: { code: 'GATEWAY_LOST' } } },
      { method: 'notifications/cancelled', params: { requestId: 'q' } },
    ])
    second.say({ id: second.heard()[0]!.id, result: {} })
    await expect
      .poll(() => second.heard().map(({ method }) => method))
      .toEqual(['initialize', 'notifications/initialized', 'resources/subscribe'])
    await expect.poll(() => read().map(({ method }) => method)).toContain('notifications/tools/list_changed')
    ask({ id: 4, method: 'ping' })
    await expect.poll(() => second.heard().at(-1)).toMatchObject({ id: 4 })
    // What we said in the client's name is not its business.
    second.say({ id: second.heard()[2]!.id, result: {} })
    second.say({ id: 4, result: {} })
    await expect.poll(() => read().at(-1)).toMatchObject({ id: 4 })
    bridge.close()
    await bridge.ended
  })

  it('ends where nothing can answer any more', async () => {
    const { first, bridge } = start()
    first.die()
    await expect(bridge.ended).rejects.toThrow('none')
  })

  it('passes the end of the client on, and waits for the gateway to end too', async () => {
    const { input, first, ask, read, bridge } = start()
    ask(hello)
    input.end()
    await expect.poll(() => first.side.input.writableEnded).toBe(true)
    first.say({ id: 1, result: {} })
    await expect.poll(() => read().length).toBe(1)
    first.die()
    await bridge.ended
  })
})
