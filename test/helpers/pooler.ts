import { connect, createServer, type Socket } from 'node:net'

export interface Pooler extends AsyncDisposable {
  /** The address of a database behind us. */
  through(url: string): string
  /** Nothing passes in either direction from now on, and nobody is told. */
  freeze(): void
  thaw(): void
}

/**
 * A relay in front of PostgreSQL. As `strict` it behaves as poolers in transaction mode do: settings of a connection are
 * refused, and so is LISTEN.
 */
export const openPooler = async ({ strict = false } = {}): Promise<Pooler> => {
  const sockets = new Set<Socket>()
  let port = 0
  let isFrozen = false
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      if (isFrozen) socket.pause()
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    upstream.on('data', (data) => client.write(data))
    let isStarted = false
    let rest = Buffer.alloc(0)
    client.on('data', (data: Buffer) => {
      if (!strict) return upstream.write(data)
      rest = Buffer.concat([rest, data])
      for (;;) {
        const head = isStarted ? 1 : 0
        if (rest.length < head + 4) return
        const length = head + rest.readInt32BE(head)
        if (rest.length < length) return
        const message = rest.subarray(0, length)
        rest = rest.subarray(length)
        const text = message.toString('latin1')
        if (!isStarted && text.includes('statement_timeout')) {
          client.end(errorMessage('unsupported startup parameter: statement_timeout'))
          return
        }
        if (isStarted && /^Q....listen/is.test(text))
          client.write(Buffer.concat([errorMessage('no LISTEN here'), ready]))
        else upstream.write(message)
        isStarted = true
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = (server.address() as { readonly port: number }).port
  return {
    through: (url) => {
      port = Number(new URL(url.replace('postgres:', 'http:')).port)
      return url.replace(`:${port}/`, `:${own}/`)
    },
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const errorMessage = (words: string): Buffer => {
  const body = Buffer.from(`SERROR\0VERROR\0C08P01\0M${words}\0\0`, 'latin1')
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
