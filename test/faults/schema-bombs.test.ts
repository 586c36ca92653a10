import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGateway, untilListed } from '../helpers/gateway-process.js'
import { bombs } from '../helpers/schema-bombs/bombs.mjs'

let gateway: GatewayProcess
let base: string
let folder: string
let probe: string

beforeAll(async () => {
  const server = fileURLToPath(new URL('../helpers/schema-bombs/server.mjs', import.meta.url))
  folder = mkdtempSync(join(tmpdir(), 'pegboard-probe-'))
  probe = join(folder, 'probe')
  const loaded = new URL('../helpers/schema-bombs/probe.mjs', import.meta.url).href
  gateway = await startGateway(
    {
      // Writing the definitions down takes turns of its own.
      storage: { backend: 'memory' },
      sources: { bombs: { type: 'stdio', command: process.execPath, args: [server] } },
    },
    { env: { NODE_OPTIONS: `--import=${loaded}`, PROBE_SOCKET: probe } },
  )
  base = gateway.url.replace(/\/mcp$/, '')
  await untilListed(gateway.client, ['bombs'])
})

afterAll(async () => {
  await gateway?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const post = async (path: string, body: string) => {
  const answer = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return { status: answer.status, text: await answer.text() }
}

/** Reading a message comes before anything is checked: about 10 ms for a megabyte, which nobody can spread. */
const wantedMs = (body: string): number => 50 + (body.length / 2 ** 20) * 15

const callBody = (tool: string, args: unknown): string => JSON.stringify({ tool, arguments: args })

/** The longest that the gateway worked in one go since this was last asked, in milliseconds. */
const longestTurnMs = async (): Promise<number> => {
  const socket = connect(probe)
  let text = ''
  for await (const part of socket) text += String(part)
  return Number(text)
}

describe('schema bombs (S4, T27, T28, F34)', () => {
  const slow: string[] = []

  it('are more than sixty', () => {
    expect(bombs.length).toBeGreaterThan(60)
  })

  it.each(bombs.map((bomb, index) => [bomb.name, index, bomb] as const))('%s', async (name, index, bomb) => {
    const body = JSON.stringify({ calls: [{ tool: `bombs.bomb_${index}`, arguments: bomb.arguments }] })
    await longestTurnMs()
    const answer = await post('/api/v1/calls', body)
    const longest = await longestTurnMs()
    if (process.env.BOMBS) console.log(longest.toFixed(0).padStart(5), name, answer.text.slice(0, 160))
    expect([200, 400]).toContain(answer.status)
    if (longest > wantedMs(body)) slow.push(`${name}: ${longest.toFixed(0)} ms`)
    expect(longest).toBeLessThan(3 * wantedMs(body))
  })

  it('take no more than 50 ms in one go, but for a few that a busy machine or its memory was slow with', () => {
    expect(slow.length, slow.join('\n')).toBeLessThan(bombs.length / 5)
  })

  it('of a batch leave others their turns', async () => {
    const index = bombs.findIndex(({ name }) => name === 'recursive oneOf, brackets')
    const one = { tool: `bombs.bomb_${index}`, arguments: bombs[index]?.arguments }
    const body = JSON.stringify({ calls: Array.from({ length: 128 }, () => one) })
    await longestTurnMs()
    const { status, text } = await post('/api/v1/calls', body)
    const longest = await longestTurnMs()
    if (process.env.BOMBS) console.log(longest.toFixed(0).padStart(5), 'batch')
    expect(status).toBe(200)
    expect(JSON.parse(text).results).toHaveLength(128)
    expect(longest).toBeLessThan(3 * wantedMs(body))
  })

  it('do not keep another caller from being answered meanwhile', async () => {
    const index = bombs.findIndex(({ name }) => name === 'items a thousand times')
    const { arguments: args } = bombs[index]!
    let over = false
    const heavy = Promise.all(
      Array.from({ length: 4 }, () =>
        post('/api/v1/calls', JSON.stringify({ calls: [{ tool: `bombs.bomb_${index}`, arguments: args }] })),
      ),
    ).finally(() => {
      over = true
    })
    let answered = 0
    while (!over) {
      expect((await gateway.client.call('bombs.honest', { v: [1] })).text).toBe('done')
      answered += 1
    }
    const answers = await heavy
    for (const { text } of answers) expect(text).toMatch(/could not be checked within|"OVERLOADED"/)
    // Half a second each in the other thread, one after the other.
    expect(answered).toBeGreaterThan(20)
  })

  it('leave room for what is only large: four megabytes of plain arguments', async () => {
    const numbers = Array.from({ length: 190_000 }, (_, index) => index + 0.123456789012)
    const body = callBody('bombs.honest', { v: numbers })
    expect(body.length).toBeGreaterThan(3_000_000)
    const answer = await post('/api/v1/calls', JSON.stringify({ calls: [JSON.parse(body)] }))
    expect(answer.text).toContain('done')
  })
})
