import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineTool } from '../../../src/index.js'
import { type ClientKind, clientKinds } from '../../helpers/clients/named.js'
import { openRunning, type Running } from '../open-running.js'
import { connectRaw } from './raw-client.js'

const words = Array.from({ length: 2000 }, (_, at) => `第${at}行 line ${at} 🎉`).join('\n')
const rows = { rows: Array.from({ length: 400 }, (_, id) => ({ id, name: `row ${id}`, secret: 'hidden' })) }

const config = {
  profiles: {
    default: { expose: 'flat', names: 'exact', limits: { maxResultBytes: 2000 } },
    whole: { expose: 'flat', names: 'exact' },
    mute: { expose: 'flat', names: 'exact', deny: ['read_result'], limits: { maxResultBytes: 2000 } },
    capped: {
      expose: 'flat',
      names: 'exact',
      overrides: { rows: { result: { drop: ['/rows/*/secret'], maxBytes: 1000 } } },
    },
  },
}

let running: Running
beforeAll(async () => {
  running = await openRunning(config)
  const { gateway } = running.board
  gateway.register(defineTool({ name: 'words', handler: () => words }))
  gateway.register(defineTool({ name: 'rows', handler: () => rows }))
})
afterAll(() => running[Symbol.asyncDispose]())

const urlOf = (profile?: string): string =>
  `${running.board.listener!.listensAt}/mcp${profile === undefined ? '' : `/${profile}`}`

const wayIn = /Read on: read_result (\{.*?\})/

describe.each(clientKinds)('a result that was cut, for a client of %s (N11)', (kind: ClientKind) => {
  it('says how to read on, and is read on to its end', async () => {
    const client = await connectRaw(kind, urlOf())
    const cut = await client.call('words')
    const text = cut.content[0].text as string
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000)
    const { id, offset } = JSON.parse(wayIn.exec(text)![1]!)
    expect(cut._meta['pegboard/result']).toEqual({
      id,
      bytes: Buffer.byteLength(words),
      uri: `pegboard://result/${id}`,
    })
    let whole = text.slice(0, text.lastIndexOf('… [cut:'))
    expect(Buffer.byteLength(whole)).toBe(offset)
    for (let next: number | undefined = offset; next !== undefined; ) {
      const piece = await client.call('read_result', { id, offset: next })
      expect(
        piece.content.reduce((sum: number, each: any) => sum + Buffer.byteLength(each.text), 0),
      ).toBeLessThanOrEqual(2000)
      whole += piece.content[0].text
      next = piece._meta['pegboard/result'].next
    }
    expect(whole).toBe(words)
    await client.close()
  })

  it('is read whole at its address, or in parts', async () => {
    const client = await connectRaw(kind, urlOf())
    const { uri } = (await client.call('words'))._meta['pegboard/result']
    expect((await client.read(uri)).text).toBe(words)
    expect((await client.read(`${uri}?offset=3&bytes=4`)).text).toBe('0行')
    expect(await client.templates()).toContain('pegboard://result/{id}')
    await client.close()
  })

  it('has a link to the whole where the client’s era knows such a block', async () => {
    const client = await connectRaw(kind, urlOf())
    const { content } = await client.call('words')
    const links = content.filter(({ type }: any) => type === 'resource_link')
    expect(links).toHaveLength(kind === 'SDK v2, modern' ? 1 : 0)
    for (const { uri } of links) expect((await client.read(uri)).text).toBe(words)
    await client.close()
  })
})

describe('a result of JSON that was cut (N11)', () => {
  it('stays JSON, and is read by path', async () => {
    const client = await connectRaw('SDK v1', urlOf())
    const cut = JSON.parse((await client.call('rows')).content[0].text)
    const { id } = JSON.parse(wayIn.exec(cut['… read on'])![1]!)
    const piece = await client.call('read_result', { id, path: '/rows/399' })
    expect(JSON.parse(piece.content[0].text)).toEqual({ id: 399, name: 'row 399', secret: 'hidden' })
    const wrong = await client.call('read_result', { id, path: '/rows/400' })
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('a list of 400') }] })
    await client.close()
  })

  it('is kept as its caller would have been given it: what an override drops cannot be read on', async () => {
    const client = await connectRaw('SDK v1', urlOf('capped'))
    const text = (await client.call('rows')).content[0].text as string
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000)
    const { id } = JSON.parse(wayIn.exec(JSON.parse(text)['… read on'])![1]!)
    expect((await client.read(`pegboard://result/${id}`)).text).not.toContain('hidden')
    // The same caller through a profile that drops nothing.
    const other = await connectRaw('SDK v1', urlOf())
    expect((await other.call('read_result', { id })).isError).toBe(true)
    await Promise.all([client.close(), other.close()])
  })
})

describe('read_result (N11)', () => {
  it('is listed where something can be cut, and nowhere else', async () => {
    const listed = async (profile?: string): Promise<boolean> => {
      const client = await connectRaw('SDK v2, modern', urlOf(profile))
      const names = await client.list()
      await client.close()
      return names.includes('read_result')
    }
    expect([await listed(), await listed('capped'), await listed('whole'), await listed('mute')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('is not there for who denies it: nothing is kept, and nothing read', async () => {
    const client = await connectRaw('SDK v1', urlOf('mute'))
    const cut = await client.call('words')
    expect(cut._meta?.['pegboard/result']).toBeUndefined()
    expect(cut.content[0].text).toMatch(/… \[cut: \d+ bytes, limit 2000\]$/)
    const own = await connectRaw('SDK v1', urlOf())
    const { id, uri } = (await own.call('words'))._meta['pegboard/result']
    expect(await client.call('read_result', { id }).catch((error: Error) => error.message)).toMatch(/read_result/)
    await expect(client.read(uri)).rejects.toThrow('Call the tool again')
    await Promise.all([client.close(), own.close()])
  })

  it('says of what is gone, and of what never was, the same, and what to do', async () => {
    const client = await connectRaw('SDK v1', urlOf())
    const said = await client.call('read_result', { id: 'AAAAAAAAAAAA' })
    expect(said).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Call the tool again') }] })
    await expect(client.read('pegboard://result/AAAAAAAAAAAA')).rejects.toThrow('Call the tool again')
    await client.close()
  })
})

describe('GET /api/v1/results/{id} (N11)', () => {
  it('reads on what was cut over plain HTTP', async () => {
    const cut = JSON.parse((await running.post('/api/v1/tools/words/call', {})).text)
    const { id } = cut._meta['pegboard/result']
    let whole = ''
    for (let next: number | undefined = 0; next !== undefined; ) {
      const piece = JSON.parse((await running.get(`/api/v1/results/${id}?offset=${next}`)).text)
      expect(piece).toMatchObject({ id, offset: next, total: Buffer.byteLength(words) })
      whole += piece.text
      next = piece.next
    }
    expect(whole).toBe(words)
    const lines = JSON.parse((await running.get(`/api/v1/results/${id}?lines=2`)).text)
    expect(lines.text).toBe(`${words.split('\n').slice(0, 2).join('\n')}\n`)
  })

  it('answers 404 for what is gone, was never there, or is another profile’s', async () => {
    const cut = JSON.parse((await running.post('/api/v1/tools/words/call', {})).text)
    const { id } = cut._meta['pegboard/result']
    const statuses = await Promise.all(
      ['/api/v1/results/AAAA', `/api/v1/results/${id}?profile=capped`, `/api/v1/results/${id}?profile=whole`].map(
        async (path) => (await running.get(path)).status,
      ),
    )
    expect(statuses).toEqual([404, 404, 404])
    expect((await running.get('/api/v1/results/AAAA')).text).toContain('Call the tool again')
  })
})
