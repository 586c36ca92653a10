// A round-robin balancer per request, as simple as they come: no sticky sessions, no second try of what was sent.
import { Agent, createServer, request } from 'node:http'

/**
 * `blind` ones are not asked how they are and get their share until they are taken off by hand; a refused connection is then a
 * failed request. Otherwise the next one gets it, as with every balancer's redispatch: nothing was sent yet.
 */
export const startBalancer = async (urls, { isBlind = false } = {}) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 })
  let backends = urls.map((url) => new URL(url))
  let turn = 0
  const forward = (incoming, outgoing, body, tries) => {
    const backend = backends[turn++ % backends.length]
    const { method, url: path } = incoming
    const headers = { ...incoming.headers, host: backend.host }
    const onward = request({ host: backend.hostname, port: backend.port, method, path, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode, { ...answer.headers, 'x-replica': backend.port })
      answer.pipe(outgoing)
      answer.once('error', () => outgoing.destroy())
    })
    let isGone = false
    incoming.once('close', () => {
      isGone = true
    })
    outgoing.once('close', () => outgoing.writableFinished || onward.destroy())
    onward.once('error', (error) => {
      if (isGone && outgoing.destroyed) return
      // A kept connection that the other side closed while it was idle: nothing was read of it.
      const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      const isUnsent = error.code === 'ECONNREFUSED' || (isClosed && onward.reusedSocket)
      if (!outgoing.headersSent && isUnsent && tries > 0 && !(isBlind && error.code === 'ECONNREFUSED'))
        return forward(incoming, outgoing, body, tries - 1)
      if (outgoing.headersSent) return outgoing.destroy()
      outgoing.writeHead(502, { 'x-balancer': error.code ?? 'error' }).end()
    })
    onward.end(body)
  }
  const server = createServer((incoming, outgoing) => {
    const parts = []
    incoming.on('data', (part) => parts.push(part))
    incoming.once('end', () => forward(incoming, outgoing, Buffer.concat(parts), backends.length))
    incoming.once('error', () => {})
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** From now on these. */
    use: (next) => {
      backends = next.map((url) => new URL(url))
    },
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
