import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EchoApi {
  readonly url: string
  readonly port: number
  /** Every request that came. */
  readonly seen: readonly {
    readonly method: string
    readonly url: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }[]
  close(): Promise<void>
}

/** A live API on loopback that tells back what it was asked, unless `answer` takes the request. */
export const startEchoApi = async (
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => boolean = () => false,
): Promise<EchoApi> => {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const asked = { method: request.method!, url: request.url!, headers: request.headers, body }
      seen.push(asked)
      if (answer(request, response, body)) return
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ method: asked.method, url: asked.url, body }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
