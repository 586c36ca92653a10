import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { JsonObject } from '../../../model/json.js'
import type { Logger } from '../../../telemetry/logger.js'
import type { Client } from '../exchange.js'
import type { McpFace } from '../face.js'
import type { ProfileSettings } from '../profile.js'
import { type LinkList, tokensOf, toLinkList } from './tool-list.js'

export interface LinkListsOptions extends Client {
  readonly face: McpFace
  /** Bytes of the `tools` array. A longer list is searched, or paged. */
  readonly maxListBytes: number
  /** The profile whose face lists a few tools that find the others. Undefined: a long list is paged. */
  readonly searchProfile?: ProfileSettings | undefined
  readonly logger: Logger
}

/** What one endpoint lists, made once per list of the face. */
export interface LinkLists {
  /** The list for a peer; one that reads all pages gets them, others get what fits on the first (C6). */
  current(readsAllPages: boolean): Promise<LinkList>
  /** The tool of a name on the link; undefined for names of other kinds, which the face knows or refuses. */
  toolOf(linkName: string): Promise<string | undefined>
  /** What the last reader would get now. */
  peek(): Promise<LinkList>
  /** What was last given out, if anything. */
  readonly served: LinkList | undefined
  /** A new connection: nobody there has read anything yet. */
  forget(): void
}

export const createLinkLists = (options: LinkListsOptions): LinkLists => {
  const { face, caller, profile, searchProfile, maxListBytes, logger } = options
  const flat = createCache(face, { caller, profile }, maxListBytes)
  const search = searchProfile && createCache(face, { caller, profile: searchProfile }, maxListBytes)
  let served: LinkList | undefined
  let readAllPages = false
  let told: LinkList | undefined

  const tell = (list: LinkList, instead: string): void => {
    if (told === list) return
    told = list
    for (const problem of list.problems) logger.log('warn', `Tool list: ${problem}`)
    if (list.pages > 1)
      logger.log('warn', `Tool list size ${list.bytes} bytes exceeds limit ${maxListBytes}: ${instead}`, {
        code: 3004,
        tools: list.tools,
        pages: list.pages,
        tokens: tokensOf(list.bytes),
      })
  }
  const searches = (list: LinkList, readsAllPages: boolean): boolean =>
    list.pages > 1 && !readsAllPages && search !== undefined
  const listFor = async (readsAllPages: boolean): Promise<LinkList> => {
    const list = await flat()
    return search && searches(list, readsAllPages) ? search() : list
  }
  const current = async (readsAllPages: boolean): Promise<LinkList> => {
    const list = await flat()
    tell(list, searches(list, readsAllPages) ? 'showing tools that search the others' : `sent as ${list.pages} pages`)
    const chosen = await listFor(readsAllPages)
    served = chosen
    readAllPages = readsAllPages
    return chosen
  }

  return {
    current,
    peek: () => listFor(readAllPages),
    toolOf: async (linkName) => {
      const { names } = await flat()
      if (names.isContested(linkName)) throw ambiguous(linkName)
      return names.toolOf(linkName) ?? (await search?.())?.names.toolOf(linkName)
    },
    get served() {
      return served
    },
    forget: () => {
      served = undefined
    },
  }
}

/** While the face gives the same list, it is projected once. */
const createCache = (face: McpFace, client: Client, maxBytes: number): (() => Promise<LinkList>) => {
  let known: { readonly tools: readonly JsonObject[]; readonly list: LinkList } | undefined
  return async () => {
    const tools = await face.listTools(client)
    if (known?.tools !== tools) known = { tools, list: toLinkList(tools, maxBytes) }
    return known.list
  }
}

const ambiguous = (name: string): RpcError =>
  new RpcError(rpcCodes.invalidParams, `More than one tool could be meant by '${name}': list the tools again.`)
