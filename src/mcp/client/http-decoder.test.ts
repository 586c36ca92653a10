import { randomBytes } from 'node:crypto'
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { connect, event, type Message, modern, type Script, serve } from '../../../test/helpers/scripted-source.js'

/** Calls are answered by the script, all else plainly. */
const answering = (script: Script): Promise<string> => serve(modern(script))

const compressed =
  (encoding: string, compress: (text: string) => Buffer, result: unknown, type = 'application/json'): Script =>
  ({ id }, response) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id, result })
    response.writeHead(200, { 'content-type': type, 'content-encoding': encoding })
    response.end(compress(type === 'application/json' ? text : `data: ${text}\n\n`))
  }

const codings: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
]

describe('an answer that was compressed unasked', () => {
  const result = { content: [{ type: 'text', text: '北 '.repeat(1000) }] }

  it.each(codings)('is understood in %s', async (encoding, compress) => {
    const peer = connect(await answering(compressed(encoding, compress, result)))
    expect(await peer.request('tools/call', { name: 'x' })).toEqual(result)
  })

  it.each(codings)('may be a stream of events, in %s', async (encoding, compress) => {
    const peer = connect(await answering(compressed(encoding, compress, result, 'text/event-stream')))
    expect(await peer.request('tools/call', { name: 'x' })).toEqual(result)
  })

  it('is heard event by event while the stream is open', async () => {
    let finish = () => {}
    const url = await answering(({ id, params }, response) => {
      const gzip = createGzip()
      gzip.pipe(response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }))
      const { progressToken } = params!._meta as Record<string, unknown>
      gzip.write(
        event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } }),
        () => gzip.flush(),
      )
      finish = () => gzip.end(event({ jsonrpc: '2.0', id, result }))
    })
    // The answer is sent when the progress was heard, and not before.
    const onProgress = () => finish()
    expect(await connect(url).request('tools/call', { name: 'x' }, { onProgress })).toEqual(result)
  })

  it('may fail as any other', async () => {
    const url = await answering(({ id }: Message, response) => {
      response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32021, message: 'm' } })))
    })
    await expect(connect(url).request('tools/call')).rejects.toMatchObject({ name: 'RpcError', code: -32021 })
  })

  const nothing = (text: string): Buffer => Buffer.from(text)
  const half = (text: string): Buffer => gzipSync(text).subarray(0, -12)
  it.each([
    ['a coding that we do not know', 'zstd', nothing, { code: 'RESULT_INVALID', message: /as "zstd"/ }],
    ['two codings', 'gzip, br', nothing, { code: 'RESULT_INVALID', message: /as "gzip, br"/ }],
    ['no gzip at all', 'gzip', nothing, { code: 'RESULT_INVALID', message: /cannot be read/ }],
    ['half of it', 'gzip', half, { code: 'RESULT_INVALID', message: /cannot be read/ }],
  ] as const)('in %s is refused', async (_name, encoding, compress, { code, message }) => {
    const peer = connect(await answering(compressed(encoding, compress, result)))
    const refused = { code, message: expect.stringMatching(message) }
    await expect(peer.request('tools/call', { name: 'x' })).rejects.toMatchObject(refused)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('ends early where it is a bomb in %s (T31)', async (encoding, compress) => {
    const bomb = { content: [{ type: 'text', text: 'x'.repeat(900_000) }] }
    const peer = connect(await answering(compressed(encoding, compress, bomb)))
    const refused = { code: 'RESULT_INVALID', message: expect.stringMatching(/200-fold/) }
    await expect(peer.request('tools/call', { name: 'x' })).rejects.toMatchObject(refused)
  })

  it('is bounded by what comes out of it, as one that was never compressed', async () => {
    const rows = randomBytes(96 * 1024).toString('hex')
    const large = { content: [{ type: 'text', text: rows.repeat(100) }] }
    const peer = connect(await answering(compressed('gzip', gzipSync, large)))
    await expect(peer.request('tools/call', { name: 'x' })).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' })
  })
})
