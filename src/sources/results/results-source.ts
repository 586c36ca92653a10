import { RpcError, rpcCodes } from '../../mcp/rpc-error.js'
import type { Caller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import { readResultName, resultKey, resultUri } from '../../model/kept-result.js'
import { type Answer, resultAnswer, textResult } from '../../model/result.js'
import type { ToolDefinition } from '../../model/tool.js'
import type { Source, SourceCall } from '../source.js'
import type { SurfaceOffer } from '../surface.js'
import type { KeptResults } from './kept-results.js'
import { type Piece, PieceAbsent, type PieceWanted, readPiece } from './read-piece.js'

/** The name of the source; its one tool is shown by its bare name. */
export const resultsSourceName = 'results'

export interface ResultsSourceOptions {
  readonly kept: KeptResults
  /** Whether this caller may call the tool: who may not has nothing to read either. */
  readonly mayRead: (caller: Caller) => boolean
}

/** `read_result` and `pegboard://result/…`: by which a caller reads on what was cut (N11). There where results can be cut. */
export const createResultsSource = ({ kept, mayRead }: ResultsSourceOptions): Source => ({
  kind: 'registry',
  surface: { ...quiet, own: true, switch: 'results', offer },
  watch: async (onTools, signal) => {
    onTools({ type: 'all', tools: [{ definition, own: true, switch: 'results', idempotent: true }] })
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  },
  call: (_, args, context) => readFor(kept, args, context),
  ask: async ({ method, params: { uri } }, { call: { caller } }) => {
    if (method !== 'resources/read' || typeof uri !== 'string')
      throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method}`)
    const piece = mayRead(caller) ? pieceAt(kept, uri, caller) : undefined
    if (!piece) throw new RpcError(rpcCodes.invalidParams, gone, { data: { uri: uri.slice(0, 200) }, httpStatus: 200 })
    const mimeType = 'text/plain'
    return { contents: [{ uri, mimeType, text: piece.text, _meta: { [resultKey]: placeOf(piece) } }] } as JsonObject
  },
  [Symbol.asyncDispose]: async () => {},
})

// They are told of in the results that were cut.
const quiet = {
  settled: async () => {},
  follow: () => () => {},
  listen: () => () => {},
  onChange: () => () => {},
  onUpdated: () => () => {},
}

const offer: SurfaceOffer = {
  era: 'legacy',
  capabilities: { resources: {} },
  instructions: undefined,
  prompts: [],
  resources: [],
  templates: [
    {
      uriTemplate: 'pegboard://result/{id}',
      name: 'result',
      title: 'A result that was cut',
      description: 'The whole of it, for a while; ?offset=N&bytes=N reads a part',
    },
  ],
}

const mostBytes = 1024 * 1024
const usualBytes = 16 * 1024
// Around a piece: where it is and how to go on.
const noteBytes = 96

const definition: ToolDefinition = {
  name: readResultName,
  description:
    'Reads on a result that was cut: the cut result names its id. Gives a piece and the offset of the next; path picks a part of a JSON result.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', maxLength: 64 },
      offset: { type: 'integer', minimum: 0, description: 'Bytes to skip' },
      bytes: { type: 'integer', minimum: 1, maximum: mostBytes, description: 'At most so many' },
      lines: { type: 'integer', minimum: 1, description: 'At most so many' },
      path: { type: 'string', maxLength: 1024, description: 'JSON Pointer, as /items/0' },
    },
    required: ['id'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

const gone =
  'That result is not kept any more: results that were cut are kept for a while, and for whoever was given them. Call the tool again, and ask it for less if it can give less.'

const readFor = (kept: KeptResults, args: JsonObject, { call: { caller, maxResultBytes } }: SourceCall): Answer => {
  const { id, offset, bytes, lines, path } = args as unknown as { readonly id: string } & Partial<PieceWanted>
  const whole = kept.find(id, caller)
  if (!whole) return resultAnswer(textResult(gone, { isError: true }))
  const room = maxResultBytes === undefined ? mostBytes : Math.max(1, maxResultBytes - noteBytes)
  try {
    const piece = readPiece(whole, { offset, bytes: Math.min(bytes ?? usualBytes, room), lines, path })
    const content = [
      { type: 'text', text: piece.text },
      { type: 'text', text: noteOf(piece) },
    ]
    return resultAnswer({ content, _meta: { [resultKey]: { id, ...placeOf(piece) } } })
  } catch (error) {
    if (error instanceof PieceAbsent) return resultAnswer(textResult(error.message, { isError: true }))
    throw error
  }
}

const noteOf = ({ offset, text, next, total }: Piece): string => {
  const until = offset + Buffer.byteLength(text)
  return `[bytes ${offset} to ${until} of ${total}${next === undefined ? ': the end' : `; next offset: ${next}`}]`
}

const placeOf = ({ offset, next, total }: Piece): JsonObject =>
  next === undefined ? { offset, total } : { offset, next, total }

const pieceAt = (kept: KeptResults, uri: string, caller: Caller): Piece | undefined => {
  const [address = '', query = ''] = uri.split('?', 2)
  const whole = address.startsWith(resultUri('')) ? kept.find(address.slice(resultUri('').length), caller) : undefined
  const asked = new URLSearchParams(query)
  return whole && readPiece(whole, { offset: numberIn(asked, 'offset', 0), bytes: numberIn(asked, 'bytes', mostBytes) })
}

const numberIn = (asked: URLSearchParams, name: string, otherwise: number): number => {
  const given = asked.get(name) ?? ''
  return /^\d{1,15}$/.test(given)
    ? Math.min(Number(given), name === 'bytes' ? mostBytes : Number.MAX_SAFE_INTEGER)
    : otherwise
}
