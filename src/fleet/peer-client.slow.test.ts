import { once } from 'node:events'
import { request as requestHttp } from 'node:http'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startReplica } from '../../test/helpers/two-replicas.js'
import { toPeerRoute } from '../faces/fleet/peer-route.js'
import type { Caller } from '../model/caller.js'
import { type FleetAnswer, peerHeader } from './peers.js'

const ann: Caller = { id: 'ann', rights: ['call'] }

const textOf = async ({ body }: FleetAnswer): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** B answers with what came in under the pass. */
const startEcho = async () => {
  const b = startReplica('b')
  b.http.addRoutes([
    toPeerRoute(b.passes, {
      method: 'POST',
      path: '/echo',
      handle: ({ response, caller }, pass, body) => {
        response.end(JSON.stringify({ from: pass.from, caller: caller.id, epoch: pass.epoch, bytes: body.length }))
      },
    }),
  ])
  await b.listen()
  return b
}

const post = { method: 'POST', path: '/echo', caller: ann } as const

/** A request of anybody, by plain HTTP. */
const knock = async (url: string, headers: Record<string, string>, body: string): Promise<[number, string]> => {
  const asked = requestHttp(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } })
  asked.end(body)
  const [answer] = await once(asked, 'response')
  let text = ''
  for await (const part of answer) text += part
  return [answer.statusCode, text]
}

describe('asking another replica', () => {
  it('brings caller, epoch and body, also of four megabytes', async () => {
    await using a = startReplica('a')
    await using b = await startEcho()
    const body = Buffer.alloc(4 * 1024 * 1024, 'x')
    const answer = await a.peers.send(b.member(), { ...post, body, epoch: 3 })
    expect(answer.status).toBe(200)
    expect(JSON.parse(await textOf(answer))).toEqual({ from: 'a', caller: 'ann', epoch: 3, bytes: body.length })
  })

  it('works while the clock of a replica is wrong within the window, and is refused beyond it', async () => {
    await using near = startReplica('a', { offsetMs: 20_000 })
    await using far = startReplica('a', { offsetMs: 3_600_000 })
    await using b = await startEcho()
    expect((await near.peers.send(b.member(), post)).status).toBe(200)
    expect((await far.peers.send(b.member(), post)).status).toBe(401)
  })

  it('is refused under another secret', async () => {
    await using a = startReplica('a', { secret: 'a secret of another fleet altogether' })
    await using b = await startEcho()
    const answer = await a.peers.send(b.member(), post)
    expect(answer.status).toBe(401)
    expect(await textOf(answer)).toContain('fleet.secret')
  })

  it('opens to a pass alone: no key, no pass twice, no other body, no other path', async () => {
    await using a = startReplica('a')
    await using b = await startEcho()
    const to = b.member()
    const url = `${to.address}/fleet/v1/echo`
    const passFor = (body: string, target = '/fleet/v1/echo') =>
      a.passes.write({ method: 'POST', target, body, caller: ann, to })
    expect((await knock(url, { authorization: 'Bearer a-key-of-an-admin' }, 'x'))[0]).toBe(401)
    const good = passFor('x')
    expect((await knock(url, { [peerHeader]: good }, 'x'))[0]).toBe(200)
    expect((await knock(url, { [peerHeader]: good }, 'x'))[0]).toBe(401)
    expect((await knock(url, { [peerHeader]: passFor('x') }, 'y'))[0]).toBe(401)
    expect((await knock(url, { [peerHeader]: passFor('x', '/fleet/v1/other') }, 'x'))[0]).toBe(401)
    const [status, text] = await knock(url, { [peerHeader]: `${passFor('x').slice(0, -1)}A` }, 'x')
    expect([status, text.includes('pegboard')]).toEqual([401, false])
  })

  it('says that nothing was sent where nobody listens, or nobody takes the connection in time', async () => {
    await using a = startReplica('a')
    const gone = startReplica('b')
    await gone.listen()
    const address = gone.member()
    await gone[Symbol.asyncDispose]()
    await expect(a.peers.send(address, post)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
    await expect(a.peers.send({ ...address, address: undefined }, post)).rejects.toMatchObject({ notSent: true })
  })

  it('does not say so where the other side ended in the middle', async () => {
    await using a = startReplica('a')
    const rude = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1')
    await once(rude, 'listening')
    const { port } = rude.address() as { port: number }
    const to = { ...startReplica('b').member(), address: `http://127.0.0.1:${port}` }
    await expect(a.peers.send(to, post)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: false })
    rude.close()
  })

  it('streams the answer as it comes, waits for who reads slowly, and lets go when nobody reads', async () => {
    await using a = startReplica('a')
    await using b = startReplica('b')
    const chunk = Buffer.alloc(64 * 1024, 'z')
    let written = 0
    let left: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      left = resolve
    })
    b.http.addRoutes([
      toPeerRoute(b.passes, {
        method: 'GET',
        path: '/stream',
        stream: true,
        handle: async ({ response, cancel }) => {
          cancel.addEventListener('abort', { handleEvent: left })
          response.writeHead(200)
          while (!response.destroyed && written < 2000) {
            written += 1
            if (!response.write(chunk)) await Promise.race([once(response, 'drain'), gone])
          }
        },
      }),
    ])
    await b.listen()
    const answer = await a.peers.send(b.member(), { method: 'GET', path: '/stream', caller: ann })
    for await (const part of answer.body) {
      expect(part.length).toBeGreaterThan(0)
      break
    }
    await gone
    // 125 MB were there to be had: what nobody read was never written.
    expect(written).toBeLessThan(500)
  })

  it('ends the request when its signal does', async () => {
    await using a = startReplica('a')
    await using b = startReplica('b')
    let reached: () => void = () => {}
    const arrived = new Promise<void>((resolve) => {
      reached = resolve
    })
    b.http.addRoutes([toPeerRoute(b.passes, { method: 'POST', path: '/echo', handle: () => reached() })])
    await b.listen()
    const giveUp = new AbortController()
    const asked = a.peers.send(b.member(), { ...post, signal: giveUp.signal })
    await arrived
    giveUp.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
  })
})

describe('telling other replicas', () => {
  const startListeners = async () => {
    const b = startReplica('b')
    b.http.addRoutes([
      toPeerRoute(b.passes, {
        method: 'POST',
        path: '/tell',
        handle: ({ response }, pass, body) => {
          b.peers.heard(body, pass.from)
          response.writeHead(204).end()
        },
      }),
    ])
    await b.listen()
    return b
  }

  it('reaches all of them, in order, and nobody waits', async () => {
    await using b = await startListeners()
    await using a = startReplica('a', { members: () => [b.member()] })
    const heard: unknown[] = []
    const all = new Promise<void>((resolve) =>
      b.peers.onTold('cancel', (content, from) => {
        heard.push([content.n, from])
        if (heard.length === 20) resolve()
      }),
    )
    for (let n = 0; n < 20; n++) a.peers.tell({ kind: 'cancel', content: { n } }, 'all')
    await all
    expect(heard).toEqual(Array.from({ length: 20 }, (_, n) => [n, 'a']))
  })

  it('forgets the oldest where one is far behind, and nobody waits for it', async () => {
    await using b = startReplica('b')
    await using a = startReplica('a', { members: () => [b.member()] })
    const heard: unknown[] = []
    let goOn: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const last = new Promise<void>((resolve) =>
      b.peers.onTold('cancel', ({ n }) => {
        heard.push(n)
        if (n === 4999) resolve()
      }),
    )
    b.http.addRoutes([
      toPeerRoute(b.passes, {
        method: 'POST',
        path: '/tell',
        handle: async ({ response }, pass, body) => {
          await held
          b.peers.heard(body, pass.from)
          response.writeHead(204).end()
        },
      }),
    ])
    await b.listen()
    for (let n = 0; n < 5000; n++) a.peers.tell({ kind: 'cancel', content: { n } }, 'all')
    goOn()
    await last
    expect(heard.length).toBeLessThan(300)
  })

  it('goes on past a listener that throws and past nonsense', async () => {
    await using b = startReplica('b')
    const heard: unknown[] = []
    b.peers.onTold('key', () => {
      throw new Error('mine')
    })
    b.peers.onTold('key', (content) => heard.push(content))
    b.peers.heard(Buffer.from('{"told":[1,{"kind":"key","content":{"id":"k"}},{"kind":3},null]}'), 'a')
    expect(heard).toEqual([{ id: 'k' }])
  })
})
