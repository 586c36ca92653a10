import { RpcError, rpcCodes } from '../../mcp/rpc-error.js'
import type { Caller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import type { Source } from '../source.js'
import type { SurfaceOffer } from '../surface.js'
import type { ListScope } from './category-list.js'
import { categoriesWithin, statsOf } from './stats.js'

/** Document 002's two resources: what is on the board, for this caller. */
export const createRegistrySurface = (
  scopeFor: (caller: Caller) => ListScope,
): Required<Pick<Source, 'surface' | 'ask'>> => {
  const read: Readonly<Record<string, (caller: Caller) => JsonObject>> = {
    'registry://stats': (caller) => statsOf(scopeFor(caller)),
    'registry://categories': (caller) => categoriesWithin(scopeFor(caller)),
  }
  return {
    surface: { ...quiet, own: true, offer },
    ask: async ({ method, params: { uri } }, { call: { caller } }) => {
      const reader = typeof uri === 'string' && Object.hasOwn(read, uri) ? read[uri] : undefined
      if (method !== 'resources/read' || !reader)
        throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method}`)
      return {
        contents: [{ uri: uri as string, mimeType: 'application/json', text: JSON.stringify(reader(caller), null, 2) }],
      }
    },
  }
}

// They change with every call; who wants to know reads them again.
const quiet = {
  settled: async () => {},
  follow: () => () => {},
  listen: () => () => {},
  onChange: () => () => {},
  onUpdated: () => () => {},
}

const resource = (name: string, title: string, description: string): JsonObject => ({
  uri: `registry://${name}`,
  name,
  title,
  description,
  mimeType: 'application/json',
})

const offer: SurfaceOffer = {
  era: 'legacy',
  capabilities: { resources: {} },
  instructions: undefined,
  prompts: [],
  resources: [
    resource('stats', 'Registry statistics', 'How many tools and categories there are, and which are used most'),
    resource('categories', 'Registry categories', 'The categories tools are listed in'),
  ],
  templates: [],
}
