import { describe, expect, it } from 'vitest'
import {
  connect,
  event,
  json,
  legacy,
  listen,
  type Message,
  result,
  type Script,
  serve,
  sse,
} from '../../../test/helpers/scripted-source.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { defined } from '../../model/json.js'

describe('a legacy HTTP session', () => {
  it('goes with every request and is deleted at the end', async () => {
    const seen: (readonly [string | undefined, unknown, unknown])[] = []
    const url = await serve(legacy((message, response) => result(response, message.id, {})))
    const spy = await listen((request, response) => {
      seen.push([request.method, request.headers['mcp-session-id'], request.headers['mcp-protocol-version']])
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', async () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => name.startsWith('mcp') || name === 'content-type'),
        ) as Record<string, string>
        const answer = await fetch(url, {
          method: request.method!,
          headers,
          body: chunks.length ? Buffer.concat(chunks) : null,
        })
        const session = answer.headers.get('mcp-session-id')
        response.writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? '',
          ...defined({ 'mcp-session-id': session ?? undefined }),
        })
        response.end(await answer.text())
      })
    })
    const peer = connect(spy, { era: 'legacy' })
    await peer.request('tools/list')
    await peer.close()
    const posts = seen.filter(([method]) => method === 'POST')
    expect(posts.map(([, session]) => session)).toEqual([undefined, 's-1', 's-1'])
    expect(posts.map(([, , version]) => version)).toEqual([undefined, '2025-06-18', '2025-06-18'])
    expect(seen).toContainEqual(['DELETE', 's-1', '2025-06-18'])
  })

  const restarting = () => {
    let session = 1
    let initialised = 0
    const script: Script = (message, response, request) => {
      if (message.method === 'initialize') initialised++
      const inner = legacy((asked, answer, { headers }) => {
        if (headers['mcp-session-id'] === `s-${session}`) result(answer, asked.id, { session })
        else json(answer, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, 404)
      }, `s-${session}`)
      inner(message, response, request)
    }
    return { script, restart: () => session++, initialised: () => initialised }
  }

  it('that is lost is made anew once for everyone, and each request sent again', async () => {
    const world = restarting()
    let resyncs = 0
    const peer = connect(await serve(world.script), { era: 'legacy', onResync: () => resyncs++ })
    expect(await peer.request('tools/call')).toEqual({ session: 1 })
    world.restart()
    const results = await Promise.all(Array.from({ length: 20 }, () => peer.request('tools/call')))
    expect(results).toEqual(Array(20).fill({ session: 2 }))
    expect(world.initialised()).toBe(2)
    expect(resyncs).toBe(1)
  })

  it('that is lost again at once ends in an error that says nothing ran', async () => {
    const url = await serve(legacy((_message, response) => void response.writeHead(404).end()))
    const peer = connect(url, { era: 'legacy' })
    await expect(peer.request('tools/call')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
  })

  it('may be resumed where a stream broke off (R56)', async () => {
    const clock = new VirtualClock()
    const posts: string[] = []
    const inner = legacy((message, response) => {
      posts.push(String(message.id))
      sse(response).end(`retry: 500\nid: e1\ndata:\n\n`)
    })
    const url = await serve((message, response, request) => {
      if (request.method !== 'GET') inner(message, response, request)
      else if (request.headers['last-event-id'] === 'e1') {
        sse(response).end(event({ jsonrpc: '2.0', id: Number(posts[0]), result: { resumed: true } }, 'e2'))
      } else response.writeHead(405).end()
    })
    const peer = connect(url, { clock, era: 'legacy' })
    const call = peer.request('tools/call')
    let done = false
    void call.finally(() => {
      done = true
    })
    while (!done) await clock.advance(100)
    expect(await call).toEqual({ resumed: true })
  })

  it('keeps its stream of announcements open through drops', async () => {
    const clock = new VirtualClock()
    const heard: string[] = []
    let streams = 0
    let resyncs = 0
    const inner = legacy((message, response) => result(response, message.id, {}))
    const url = await serve((message, response, request) => {
      if (request.method !== 'GET') return inner(message, response, request)
      sse(response).end(event({ jsonrpc: '2.0', method: `stream ${++streams}` }))
    })
    const peer = connect(url, {
      clock,
      era: 'legacy',
      onNotification: ({ method }) => heard.push(method),
      onResync: () => resyncs++,
    })
    await peer.connect()
    while (heard.length < 3) await clock.advance(500)
    expect(heard.slice(0, 3)).toEqual(['stream 1', 'stream 2', 'stream 3'])
    expect(resyncs).toBeGreaterThanOrEqual(2)
  })

  it.each(['a b', 'x'.repeat(1025)])('with an id that no header can carry is refused (R57)', async (session) => {
    const url = await serve(legacy(() => {}, session))
    await expect(connect(url, { era: 'legacy' }).connect()).rejects.toMatchObject({ code: 'RESULT_INVALID' })
  })
})

describe('requests of a legacy source (R67)', () => {
  const asking = (method: string) => {
    const answers: Message[] = []
    let answered = () => {}
    const done = new Promise<void>((resolve) => {
      answered = resolve
    })
    const script = legacy((message, response) => {
      if (message.method === undefined) {
        answers.push(message)
        response.writeHead(202).end()
        answered()
      } else {
        const stream = sse(response)
        stream.write(event({ jsonrpc: '2.0', id: 'q-0', method, params: {} }))
        void done.then(() => stream.end(event({ jsonrpc: '2.0', id: message.id, result: {} })))
      }
    })
    return { script, answers }
  }

  it('ping is answered, anything nobody handles is refused', async () => {
    for (const [method, expected] of [
      ['ping', { result: {} }],
      ['sampling/createMessage', { error: { code: -32601 } }],
    ] as const) {
      const { script, answers } = asking(method)
      await connect(await serve(script), { era: 'legacy' }).request('tools/call')
      expect(answers).toMatchObject([{ id: 'q-0', ...expected }])
    }
  })

  it('go to the handler of the request whose stream they came on', async () => {
    const { script, answers } = asking('elicitation/create')
    const peer = connect(await serve(script), { era: 'legacy', onRequest: () => ({ from: 'the peer' }) })
    await peer.request('tools/call', {}, { onRequest: () => ({ from: 'the request' }) })
    expect(answers).toMatchObject([{ id: 'q-0', result: { from: 'the request' } }])
  })
})
