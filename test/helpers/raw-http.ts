import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A socket that says exactly what the test says: HTTP clients repair paths, hosts and lengths before sending them. */
export const openRaw = async (port: number, host = '127.0.0.1'): Promise<Socket> => {
  const socket = connect({ port, host })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Sends bytes, and gives back all that came until the server closed the connection. */
export const sendRaw = async (port: number, bytes: string | Buffer, host?: string): Promise<string> => {
  const socket = await openRaw(port, host)
  socket.write(bytes, 'latin1')
  return readToClose(socket)
}

export const readToClose = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')))
  })

/** One request on its own connection. `lines` are the headers; Host is ours to leave out. */
export const ask = async (
  port: number,
  requestLine: string,
  lines: readonly string[] = [],
  body = '',
): Promise<RawAnswer> =>
  parseAnswer(
    await sendRaw(port, `${[`${requestLine} HTTP/1.1`, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`),
  )

export const parseAnswer = (text: string): RawAnswer => {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString('utf8')
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body }
}

/** Resolves when the text seen so far on the socket holds `wanted`; the answer is all of it. */
export const readUntil = (socket: Socket, wanted: string | ((seen: string) => boolean)): Promise<string> =>
  new Promise((resolve) => {
    const fits = typeof wanted === 'string' ? (seen: string) => seen.includes(wanted) : wanted
    let seen = ''
    const look = (part: Buffer) => {
      seen += part.toString('latin1')
      if (!fits(seen)) return
      socket.off('data', look)
      resolve(seen)
    }
    socket.on('data', look)
  })
