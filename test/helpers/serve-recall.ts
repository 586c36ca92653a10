import { createDeclaredActions, type DeclaredAction, executePath } from '../../src/faces/recall/embedded/knowledge.js'
import { createEmbeddedOperations } from '../../src/faces/recall/embedded/operations.js'
import { createBoardOperators, toolBoxPath } from '../../src/faces/recall/embedded/operators.js'
import { createRecallRoutes, pathOf, type RecallFaceOptions } from '../../src/faces/recall/face.js'
import type { Gateway } from '../../src/gateway.js'
import { createAuthenticator } from '../../src/http/auth-loopback.js'
import { createHttpHost } from '../../src/http/host.js'
import { systemClock } from '../../src/model/clock.js'
import { type Answer, ask } from './serve-rest.js'

export interface ServedRecall {
  readonly url: string
  recall(body: unknown, query?: string, headers?: Record<string, string>): Promise<Answer>
  proxy(mcpId: string, tool: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

export const recallUrl = '/api/agent-retrieval/in/v1/kn/get_action_info'

/** The recall routes over any services, behind a real socket. */
export const serveRecall = async (
  options: (apiUrl: () => string) => Omit<RecallFaceOptions, 'apiUrl'>,
): Promise<ServedRecall> => {
  let url = ''
  const host = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }) })
  host.addRoutes(createRecallRoutes({ ...options(() => url), apiUrl: () => url }))
  ;({ url } = await host.listen({ port: 0 }))
  return {
    url,
    recall: (body, query = '', headers = {}) => ask(`${url}${recallUrl}${query}`, 'POST', body, headers),
    proxy: (mcpId, tool, body, headers = {}) =>
      ask(
        `${url}/api/agent-retrieval/in/v1/mcp/proxy/${encodeURIComponent(mcpId)}/tools/${encodeURIComponent(tool)}/call`,
        'POST',
        body,
        headers,
      ),
    close: () => host.close({ graceMs: 0 }),
  }
}

/** The same over our own board and declared actions: what one `npm start` offers. */
export const serveEmbedded = (
  gateway: Gateway,
  actions: readonly DeclaredAction[],
  options: Partial<RecallFaceOptions> = {},
): Promise<ServedRecall> =>
  serveRecall((apiUrl) => {
    const knowledge = createDeclaredActions(
      () => actions,
      (kn, at) => `${apiUrl()}${pathOf(executePath, [kn, at])}`,
    )
    const operators = createBoardOperators(gateway, (box, tool) => `${apiUrl()}${pathOf(toolBoxPath, [box, tool])}`)
    const more = createEmbeddedOperations({ knowledge, operators, clock: systemClock })
    return { knowledge, operators, more, ...options }
  })
