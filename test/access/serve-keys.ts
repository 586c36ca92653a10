import { writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createKeyAuthenticator } from '../../src/access/authenticate.js'
import { callerIdOf } from '../../src/access/key-record.js'
import { createKeys, type Keys } from '../../src/access/keys.js'
import { createOpenAnswers } from '../../src/access/open-answers.js'
import { loadConfig } from '../../src/config/load.js'
import { createMcpEndpoint } from '../../src/faces/mcp/http/endpoint.js'
import { createHttpHost } from '../../src/http/host.js'
import { systemClock } from '../../src/model/clock.js'
import { openBoard } from '../../src/serving/open-board.js'
import { createMemoryDocuments } from '../../src/storage/memory/memory-documents.js'
import { silentLogger } from '../../src/telemetry/logger.js'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

export interface ServedKeys {
  readonly keys: Keys
  readonly url: string
  /** One MCP request of the earlier era, outside of a session. */
  ask(key: string | undefined, method: string, params?: object, path?: string): Promise<Answer>
  close(): Promise<void>
}

/** A board behind a real socket where every caller needs a key. */
export const serveKeys = async (config: object, folder: string, file: string): Promise<ServedKeys> => {
  await writeFile(file, JSON.stringify(config))
  const loaded = await loadConfig({ file, cwd: folder, env: {}, flags: { dataPath: folder, storageBackend: 'memory' } })
  const board = await openBoard(loaded, { logger: silentLogger, env: {}, persist: 'never' })
  const keys = await createKeys({ documents: createMemoryDocuments(), clock: systemClock })
  const endpoint = createMcpEndpoint({
    face: board.face,
    findProfile: board.findProfile,
    clock: systemClock,
    logger: silentLogger,
  })
  const answers = createOpenAnswers()
  keys.onRevoke((id) => {
    answers.cut(callerIdOf(id))
    endpoint.sessions.each((session) => session.owner === callerIdOf(id) && endpoint.sessions.end(session))
  })
  const host = createHttpHost({ authenticate: createKeyAuthenticator({ keys, required: () => true }) })
  host.addRoutes(answers.watch(endpoint.routes))
  const { url } = await host.listen({ port: 0 })
  return {
    keys,
    url,
    ask: (key, method, params, path = '/mcp') => ask(`${url}${path}`, key, method, params),
    close: async () => {
      board.face.close()
      endpoint.close()
      await host.close({ graceMs: 0 })
      await keys[Symbol.asyncDispose]()
      await board.close()
    },
  }
}

const ask = async (url: string, key: string | undefined, method: string, params: object = {}): Promise<Answer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: both, ...(key === undefined ? {} : { 'x-api-key': key }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

const both = 'application/json, text/event-stream'

/** Opens a stream and gives it back once its headers are there. `ended` resolves when the server has closed it. */
export const openStream = (
  url: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ readonly response: IncomingMessage; readonly ended: Promise<void>; readonly text: () => string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { accept: both, ...headers } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      const ended = new Promise<void>((done) => response.on('close', done))
      // A cut connection is what these tests wait for.
      response.on('error', () => {})
      resolve({ response, ended, text: () => text })
    })
    request.on('error', reject)
    request.end(body)
  })
