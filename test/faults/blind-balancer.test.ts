import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import { type GatewayProcess, startGateway, untilListed } from '../helpers/gateway-process.js'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

interface Behind {
  readonly port: number
  isIn: boolean
  misses: number
  answered: number
}

/** A balancer that takes a place out of its round only after twelve probes in a row were not answered well: three seconds. */
const openBalancer = async (ports: readonly number[]) => {
  const places: Behind[] = ports.map((port) => ({ port, isIn: true, misses: 0, answered: 0 }))
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const live = places.filter(({ isIn }) => isIn)
    const place = live[turn++ % live.length]!
    const { method, url: path } = incoming
    const headers = { ...incoming.headers, host: `127.0.0.1:${place.port}` }
    const onward = request({ agent, host: '127.0.0.1', port: place.port, method, path, headers }, (answer) => {
      place.answered += 1
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const probe = (place: Behind): void => {
    const asked = request({ host: '127.0.0.1', port: place.port, path: '/readyz', agent: false }, (answer) => {
      answer.resume()
      place.misses = answer.statusCode === 200 ? 0 : place.misses + 1
      if (place.misses >= 12) place.isIn = false
    })
    asked.on('error', () => {
      place.isIn = false
    })
    asked.end()
  }
  const probing = setInterval(() => places.forEach(probe), 250)
  cleanup.push(() => {
    clearInterval(probing)
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { places, port: (server.address() as AddressInfo).port }
}

/** One POST; the status and the text of its answer. */
const post = (port: number, agent: Agent, body: object, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; text: string; session: string | undefined }>((resolve, reject) => {
    const sent = request({
      ...{ agent, port, host: '127.0.0.1', path: '/mcp', method: 'POST' },
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.on('response', async (answer: IncomingMessage) => {
      let text = ''
      try {
        for await (const chunk of answer) text += String(chunk)
      } catch (error) {
        return reject(error)
      }
      resolve({ status: answer.statusCode ?? 0, text, session: answer.headers['mcp-session-id'] as string | undefined })
    })
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }))
  })

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }

describe('a gateway that is told to end behind a balancer that is blind for three seconds', () => {
  it('loses no call of a session, at steady load', { timeout: 180_000 }, async () => {
    const config = {
      sources: { a: { type: 'stdio', ...fixtureCommand('stdio-raw') } },
      server: { drainMs: 20_000 },
    }
    const env = { PEGBOARD_FLEET_SECRET: 'the same secret for both of them, kept here' }
    const gateways: GatewayProcess[] = []
    for (let count = 0; count < 2; count++) {
      const gateway = await startGateway(config, { env })
      cleanup.push(gateway.dispose)
      await untilListed(gateway.client, ['a'])
      gateways.push(gateway)
    }
    const { places, port } = await openBalancer(gateways.map(({ url }) => Number(new URL(url).port)))
    const agent = new Agent({ keepAlive: true })
    cleanup.push(() => agent.destroy())
    const begun = await post(port, agent, { method: 'initialize', params: hello })
    expect(begun.session, begun.text).toMatch(/^pb1\./)
    const session = begun.session!
    const failures: string[] = []
    let answered = 0
    let isOver = false
    cleanup.push(() => {
      isOver = true
    })
    const call = { method: 'tools/call', params: { name: 'a.echo', arguments: { text: 'still here' } } }
    const caller = async (): Promise<void> => {
      while (!isOver && failures.length < 100) {
        const answer = await post(port, agent, call, { 'mcp-session-id': session }).catch((error: Error) => ({
          status: 0,
          text: error.message,
        }))
        answered += 1
        if (answer.status !== 200 || !answer.text.includes('"result"')) failures.push(`${answer.status} ${answer.text}`)
      }
    }
    const callers = Array.from({ length: 4 }, caller)
    await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(200)
    const [leaving] = places
    const before = leaving!.answered
    gateways[0]!.child.kill('SIGTERM')
    await gateways[0]!.logged('Draining: ')
    await expect.poll(() => leaving!.isIn, { timeout: 60_000 }).toBe(false)
    // It went on serving while the balancer did not know.
    expect(leaving!.answered).toBeGreaterThan(before + 10)
    expect(await gateways[0]!.exited).toBe(0)
    const alone = answered
    await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(alone + 100)
    isOver = true
    await Promise.all(callers)
    expect(failures).toEqual([])
  })
})
