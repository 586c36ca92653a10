import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { linkProtocol, peerHeader } from '../../src/fleet/peers.js'
import type { LineChannel } from '../../src/mcp/client/line-transport.js'
import { answerOf, type Hop, type Run, startHop, startHopTo } from '../helpers/hop.js'

let hop: Hop | undefined
const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0)) await task()
  await hop?.[Symbol.asyncDispose]()
  hop = undefined
})

const begin = async (run: Run = () => answerOf('done')): Promise<Hop> => {
  hop = await startHopTo(run)
  return hop
}

const portOf = (at: Hop): number => Number(new URL(at.holder.replica.member().address!).port)

/** The status with which a handshake is answered. */
const knock = async (at: Hop, pass: string, path = '/fleet/v1/mcp/up'): Promise<string> => {
  const socket = connect(portOf(at), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${portOf(at)}\r\nConnection: Upgrade\r\nUpgrade: ${linkProtocol}\r\n${peerHeader}: ${pass}\r\n\r\n`,
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString('latin1').slice(9, 12)
}

const passTo = (at: Hop, more: object = {}): string =>
  at.asker.replica.passes.write({
    method: 'GET',
    target: '/fleet/v1/mcp/up',
    caller: { id: 'replica', rights: [] },
    epoch: 1,
    key: Buffer.alloc(32, 7),
    to: at.holder.replica.member(),
    ...more,
  })

/** Between two replicas: what it is given goes on as `change` says. */
const startWire = async (port: number, change: (bytes: Buffer, toHolder: boolean) => Buffer): Promise<string> => {
  const sockets: Socket[] = []
  const host = `Host: 127.0.0.1:${port}`
  const wire = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    sockets.push(near, far)
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      let isFirst = true
      from.on('data', (bytes) => {
        // Named as the holder knows itself.
        const named = isFirst ? Buffer.from(bytes.toString('latin1').replace(/Host: .*/, host), 'latin1') : bytes
        isFirst = false
        to.write(change(named, to === far))
      })
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  cleanup.push(() => {
    for (const socket of sockets) socket.destroy()
    wire.close()
  })
  await once(wire, 'listening')
  return `http://127.0.0.1:${(wire.address() as { port: number }).port}`
}

const linkOver = (at: Hop, address: string): Promise<LineChannel> =>
  at.asker.replica.peers.link({ ...at.holder.replica.member(), address }, { source: 'up', epoch: 1 })

const callText = (id: number): string => {
  const _meta = { 'pegboard/caller': { id: 'ann-of-accounting', rights: ['call'] } }
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'tool', _meta } })
}

const endOf = (lines: LineChannel): Promise<string> =>
  new Promise((resolve) => lines.onClose((reason) => resolve(String(reason))))
const nextLine = (lines: LineChannel): Promise<string> =>
  new Promise((resolve) => lines.onLine((line) => resolve(line.toString())))

describe('the door of links between replicas', () => {
  it('opens to a pass for this very source, once', async () => {
    const at = await begin()
    const good = passTo(at)
    expect(await knock(at, good)).toBe('101')
    expect(await knock(at, good)).toBe('401')
    expect(await knock(at, passTo(at), '/fleet/v1/mcp/other')).toBe('401')
    expect(await knock(at, passTo(at, { to: { name: 'holder', instance: 'before' } }))).toBe('401')
    expect(await knock(at, passTo(at, { method: 'POST' }))).toBe('401')
    expect(await knock(at, passTo(at, { key: undefined }))).toBe('401')
    expect(await knock(at, 'no pass at all')).toBe('401')
  })

  it('does not open to another fleet', async () => {
    const at = await begin()
    await using stranger = await startHop({}, { asker: { secret: 'the secret of quite another fleet' } })
    const dialled = stranger.asker.replica.peers.link(at.holder.replica.member(), { source: 'up', epoch: 1 })
    await expect(dialled).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true, details: { status: 401 } })
  })

  it('shows nothing of a call on the wire, and ends where one byte of it is changed', async () => {
    const seen: Buffer[] = []
    let spoils = false
    let runs = 0
    const at = await begin(() => {
      runs++
      return answerOf('a very secret answer')
    })
    const address = await startWire(portOf(at), (bytes, toHolder) => {
      seen.push(bytes)
      if (!toHolder || !spoils) return bytes
      const changed = Buffer.from(bytes)
      changed[changed.length >> 1]! ^= 1
      return changed
    })
    const lines = await linkOver(at, address)
    const [answered, ended] = [nextLine(lines), endOf(lines)]
    lines.send(callText(1))
    expect(await answered).toContain('a very secret answer')
    const onWire = Buffer.concat(seen).toString('latin1')
    for (const word of ['very secret', 'ann-of-accounting', 'tools/call']) expect(onWire).not.toContain(word)
    spoils = true
    lines.send(callText(2))
    await ended
    expect(runs).toBe(1)
  })

  it('runs nothing twice that was said once, however often its bytes come', async () => {
    let repeats = false
    let runs = 0
    const at = await begin(() => {
      runs++
      return answerOf('done')
    })
    const address = await startWire(portOf(at), (bytes, toHolder) =>
      toHolder && repeats ? Buffer.concat([bytes, bytes]) : bytes,
    )
    const lines = await linkOver(at, address)
    const ended = endOf(lines)
    repeats = true
    lines.send(callText(1))
    await ended
    expect(runs).toBeLessThanOrEqual(1)
  })

  it('takes no answers from anybody between, who does not know the key', async () => {
    const at = await begin()
    let answers = false
    const forged = Buffer.alloc(4 + 40 + 16)
    forged.writeUInt32BE(40)
    const address = await startWire(portOf(at), (bytes, toHolder) => (toHolder || !answers ? bytes : forged))
    const lines = await linkOver(at, address)
    const heard: string[] = []
    lines.onLine((line) => heard.push(line.toString()))
    const ended = endOf(lines)
    answers = true
    lines.send(callText(1))
    expect(await ended).toContain('changed on its way')
    expect(heard).toEqual([])
  })

  it('ends what runs when the replica that asked is gone', async () => {
    let left: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      left = resolve
    })
    let begun: () => void = () => {}
    const arrived = new Promise<void>((resolve) => {
      begun = resolve
    })
    const at = await begin((_args, { signal }) => {
      signal.addEventListener('abort', left)
      begun()
      return new Promise(() => {})
    })
    const lines = await linkOver(at, at.holder.replica.member().address!)
    lines.send(callText(1))
    await arrived
    lines.close()
    await gone
    expect(at.holder.gateway.load().sources.every(({ running }) => running === 0)).toBe(true)
  })

  it('says in time that nobody is there, or that nobody lets us in', async () => {
    const at = await begin()
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    cleanup.push(() => silent.close())
    const { port } = silent.address() as { port: number }
    await expect(linkOver(at, `http://127.0.0.1:${port}`)).rejects.toMatchObject({ notSent: true })
    await expect(linkOver(at, 'http://127.0.0.1:9')).rejects.toMatchObject({ notSent: true })
  })
})
