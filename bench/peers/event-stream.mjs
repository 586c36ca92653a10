// Callers of the oldest transport over HTTP (2024-11-05): requests are posted, answers come over one stream of events.
import { once } from 'node:events'
import { connect } from 'node:net'
import { createReader, exchange, post } from '../gateway/load.mjs'

/** What a target that is asked this way has besides its address. */
export const eventCallers = ({ port, path }) => {
  // Kept, since each has a session, and to begin one is not what is measured.
  const idle = []
  return {
    toAsked: (_target, method, params = {}) => ({ id: 1, method, params }),
    openCaller: async (kept) => {
      const caller = idle.pop() ?? (await open(port, path))
      return { call: (message, look) => caller.call(message, look, kept), close: () => idle.push(caller) }
    },
  }
}

const open = async (port, path) => {
  const stream = await connected(port)
  const endpoint = nextEvent(stream)
  stream.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`)
  const postTo = /data: (?:https?:\/\/[^/]+)?(\S+)/.exec(String(await endpoint))[1]
  const reader = createReader()
  let poster = await connected(port)
  const say = async (message) => {
    const bytes = post({ port, path: postTo }, '', JSON.stringify({ jsonrpc: '2.0', ...message }))
    // Servers close a connection that was idle for some seconds.
    if (poster.destroyed || poster.readableEnded) poster = await connected(port)
    return exchange(poster, reader, bytes, isAccepted)
  }
  const call = async (message, look, kept) => {
    const startedAt = performance.now()
    const [answer] = await Promise.all([nextEvent(stream, kept), say(message)])
    look(answer)
    return performance.now() - startedAt
  }
  const clientInfo = { name: 'bench', version: '1' }
  const hello = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo }
  await call({ id: 0, method: 'initialize', params: hello }, () => {})
  await say({ method: 'notifications/initialized' })
  return { call }
}

const connected = async (port) => {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await once(socket, 'connect')
  socket.on('error', () => {})
  return socket
}

const isAccepted = (answer) => {
  if (!answer.includes('HTTP/1.1 202')) throw new Error(`A message was not taken: ${answer.toString('utf8', 0, 500)}`)
}

const end = Buffer.from('\n\n\r\n')

/** The next event of the stream, or its last `kept` bytes and a few more: the server writes each event as one chunk. */
const nextEvent = (stream, kept = 4096) =>
  new Promise((resolve, reject) => {
    let parts = []
    let size = 0
    const stop = (settle, value) => {
      stream.off('data', onData)
      stream.off('close', onClose)
      settle(value)
    }
    const onClose = () => stop(reject, new Error('The stream ended before the answer was there.'))
    const onData = (chunk) => {
      parts.push(chunk)
      size += chunk.length
      while (parts.length > 1 && size - parts[0].length >= kept) size -= parts.shift().length
      if (chunk.length < end.length) parts = [Buffer.concat(parts)]
      if (parts.at(-1).subarray(-end.length).equals(end)) stop(resolve, Buffer.concat(parts))
    }
    stream.on('data', onData)
    stream.once('close', onClose)
  })
