import type { Exchange } from '../../src/faces/mcp/exchange.js'
import { wholeAnswer } from '../../src/faces/mcp/exchange.js'
import type { McpFace } from '../../src/faces/mcp/face.js'
import { plainProfile } from '../../src/faces/mcp/profile.js'
import type { JsonObject } from '../../src/model/json.js'

export interface ModernRequest {
  readonly face: McpFace
  readonly params: JsonObject
  readonly method?: string
  readonly caller?: string
  readonly capabilities?: JsonObject
  readonly signal?: AbortSignal
  readonly gone?: AbortSignal
  readonly onNotify?: (text: string) => void
  readonly extra?: Partial<Exchange>
}

export const canElicit: JsonObject = { elicitation: { form: {} } }

/** A modern request straight to the face, as a carrier would bring it. */
export const ask = async (request: ModernRequest): Promise<JsonObject> => {
  const { face, params, method = 'tools/call', caller = 'ada', capabilities = canElicit } = request
  const reply = await face.answer({
    caller: { id: caller, rights: ['discover', 'call'] },
    profile: plainProfile,
    request: { kind: 'request', id: 1, method, params, bytes: 0 },
    sender: {
      era: 'modern',
      version: '2026-07-28',
      clientCapabilities: capabilities,
      clientInfo: undefined,
      logLevel: undefined,
    },
    signal: request.signal ?? new AbortController().signal,
    gone: request.gone,
    notify: request.onNotify ?? (() => {}),
    ...request.extra,
  })
  return (JSON.parse(wholeAnswer(1, reply).toString()) as { readonly result: JsonObject }).result
}
