import { hash } from 'node:crypto'
import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { holdsTokensOf, type KeptSignIn, parseKept, type Shelf, type SignInDocuments } from './shelf.js'

/** Documents of everybody, each sealed under its own id. Nothing here asks for more than one of them by name. */
export interface CallerDocuments extends Omit<SignInDocuments, 'all'> {
  get(id: string): Promise<JsonValue | undefined>
  /** The ids that begin so, without opening anything. */
  ids(prefix: string): Promise<readonly string[]>
}

/**
 * What one person has at one server of one source. The id is made of all three and is what the vault binds the content to;
 * the issuer is inside, and what is refreshed goes to that issuer alone.
 */
export const callerDocumentId = (caller: string, source: string, server: string): string =>
  `${prefixOf(caller)}${hash('sha256', JSON.stringify([caller, source, server]))}`

/** Before all ids of one person. Hashed: a store is read by more people than a vault. */
export const prefixOf = (caller: string): string =>
  `${hash('sha256', JSON.stringify(['caller', caller])).slice(0, 32)} `

/** The shelf of one person: the same promises as that of everybody, and nothing of anybody else on it. */
export const createCallerShelf = (
  documents: CallerDocuments,
  clock: Clock,
  caller: string,
  /** Where the gateway's own registrations are: one client for all people. */
  clients: Pick<Shelf, 'find' | 'save' | 'spend'>,
): Shelf => {
  const idOf = ({ source, server }: Pick<KeptSignIn, 'source' | 'server'>): string =>
    callerDocumentId(caller, source, server)
  const own = async (source: string, server: string): Promise<KeptSignIn | undefined> =>
    ownOf(await documents.get(idOf({ source, server })), caller, source, server)
  return {
    idOf,
    all: async () => [],
    find: async (source, server) => {
      const mine = await own(source, server)
      if (mine?.client) return mine
      const shared = await clients.find(source, server)
      if (!mine) return shared && { ...shared, tokens: undefined, scope: undefined }
      return shared?.issuer === mine.issuer ? { ...mine, client: shared.client } : mine
    },
    save: async (kept) => {
      // A registration without a sign-in is the gateway's own.
      if (!kept.tokens) return clients.save({ ...kept, scope: undefined })
      await documents.put(idOf(kept), plain({ ...kept, caller, savedAt: clock.wall() }))
    },
    renew: async (kept, tokens) => {
      let isTheirs = false
      const isThere = await documents.update(idOf(kept), (current) => {
        isTheirs = ownOf(current, caller, kept.source, kept.server) !== undefined && holdsTokensOf(current, kept)
        return isTheirs ? plain({ ...(current as JsonObject), tokens, savedAt: clock.wall() }) : current
      })
      return isThere && isTheirs
    },
    spend: async (kept, what) => {
      await documents.update(idOf(kept), (current) => {
        if (!isRecord(current) || !holdsTokensOf(current, kept)) return current
        const { tokens, client, ...rest } = current
        return (what === 'client' || client === undefined ? rest : { ...rest, client }) as JsonObject
      })
      if (what === 'tokens') return
      const shared = await clients.find(kept.source, kept.server)
      if (shared && shared.client?.id === kept.client?.id) await clients.spend(shared, 'client')
    },
    remove: async () => false,
  }
}

/** Only what says itself that it is theirs, there: the vault has made sure that it was written under this id. */
const ownOf = (
  value: JsonValue | undefined,
  caller: string,
  source: string,
  server: string,
): KeptSignIn | undefined => {
  if (!isRecord(value) || value.caller !== caller) return undefined
  const [kept] = parseKept(value as JsonValue)
  return kept?.source === source && kept.server === server ? kept : undefined
}

const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject

// More takes longer than whoever asks would wait.
const mostCounted = 50_000

/** How many people have something at each place. */
export const peopleByPlace = async (documents: CallerDocuments): Promise<ReadonlyMap<string, number>> => {
  const people = new Map<string, number>()
  for (const id of (await documents.ids('')).slice(0, mostCounted)) {
    const place = placeIn(await documents.get(id).catch(() => undefined))
    if (place !== undefined) people.set(place, (people.get(place) ?? 0) + 1)
  }
  return people
}

/** The place that a document is for, if somebody has something there: tokens, or a key that they pasted. */
const placeIn = (value: JsonValue | undefined): string | undefined => {
  if (!isRecord(value) || (value.tokens === undefined && value.key === undefined)) return undefined
  return placeName(String(value.source), String(value.server))
}

export const placeName = (source: string, server: string): string => JSON.stringify([source, server])
