import { createRestFace, type RestFace, type RestFaceOptions } from '../../src/faces/rest/face.js'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { createAuthenticator } from '../../src/http/auth-loopback.js'
import { createHttpHost, type HttpHostOptions } from '../../src/http/host.js'
import type { Route } from '../../src/http/route.js'
import { tellRefusal } from '../../src/operations/told-error.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: any
}

export interface Served {
  readonly gateway: Gateway
  readonly face: RestFace
  readonly url: string
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

/** The tools of the stories below. */
export const restTools = () => [
  defineTool({
    name: 'add',
    description: 'Adds two numbers',
    tags: ['math'],
    category: 'arithmetic',
    input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    handler: ({ a, b }) => ({ sum: a + b }),
  }),
  defineTool({ name: 'echo', description: 'Gives its arguments back', handler: (args) => args }),
  defineTool({ name: 'say', description: 'Says hello', handler: () => 'hello' }),
  defineTool({
    name: 'refuse',
    description: 'Always says no',
    handler: () => ({ content: [{ type: 'text', text: 'no' }], isError: true }),
  }),
  defineTool({
    name: 'fail',
    description: 'Always throws',
    handler: () => {
      throw new Error('boom')
    },
  }),
  defineTool({
    name: 'steps',
    description: 'Reports progress twice',
    handler: async (_args, context) => {
      context.reportProgress({ progress: 1, total: 2, message: 'one' })
      context.reportProgress({ progress: 2, total: 2 })
      return 'done'
    },
  }),
]

export interface ServeOptions extends Partial<RestFaceOptions> {
  readonly host?: Partial<HttpHostOptions>
  readonly more?: readonly Route[]
}

/** A gateway's REST face behind a real socket on loopback. */
export const serveRest = async (options: ServeOptions = {}): Promise<Served> => {
  const gateway = options.gateway ?? createGateway({ tools: restTools() })
  const face = createRestFace({ ...options, gateway })
  const authenticate = createAuthenticator({ openLoopback: true })
  const host = createHttpHost({ authenticate, tellRefusal, ...options.host })
  host.addRoutes([...face.routes, ...(options.more ?? [])])
  const { url } = await host.listen({ port: 0 })
  return {
    gateway,
    face,
    url,
    ask: (method, path, body, headers = {}) => ask(`${url}${path}`, method, body, headers),
    close: async () => {
      await host.close({ graceMs: 0 })
      await gateway.close()
    },
  }
}

/** One request. A body that is no string is sent as JSON. */
export const ask = async (
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const typed = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers: { ...typed, ...headers }, ...sent })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
