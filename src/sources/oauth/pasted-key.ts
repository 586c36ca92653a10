import { GatewayError } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { type SignInPage, signInRequired } from '../sign-in-required.js'
import { type CallerDocuments, callerDocumentId } from './caller-shelf.js'
import type { GatewayKey, PastedKeyAuth } from './options.js'

type Headers = Readonly<Record<string, string>>
const noHeaders: Headers = Object.freeze({})

/** One person, one source, one server. */
export interface KeyPlace {
  readonly caller: string
  readonly source: string
  readonly server: string
}

const keyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/

/** A key as it was pasted, or the refusal of what no header can carry. */
export const parsePastedKey = (pasted: unknown): string => {
  const key = typeof pasted === 'string' ? pasted.trim() : ''
  if (keyPattern.test(key)) return key
  throw new GatewayError('ARGUMENTS_INVALID', 'A key is one line of at most 4096 ASCII characters.', { notSent: true })
}

export const keepKey = (documents: CallerDocuments, place: KeyPlace, key: string, clock: Clock): Promise<void> => {
  const { caller, source, server } = place
  return documents.put(callerDocumentId(caller, source, server), {
    ...{ caller, source, server, key },
    savedAt: clock.wall(),
  })
}

/** Only what says itself that it is theirs, there. */
export const readKey = async (
  documents: CallerDocuments,
  { caller, source, server }: KeyPlace,
): Promise<{ readonly key: string; readonly savedAt: number } | undefined> => {
  const value: JsonValue | undefined = await documents.get(callerDocumentId(caller, source, server))
  if (!isRecord(value)) return undefined
  const { key, savedAt, ...rest } = value as JsonObject
  const isTheirs = rest.caller === caller && rest.source === source && rest.server === server
  return isTheirs && typeof key === 'string' ? { key, savedAt: Number(savedAt) || 0 } : undefined
}

/** The key that one person pasted. */
export class PastedKeyCredentials implements Credentials {
  #headers: Headers | undefined
  #renewing: Promise<void> | undefined
  readonly #source: string
  readonly #auth: PastedKeyAuth
  readonly #read: () => Promise<string | undefined>
  readonly #page: SignInPage | undefined

  constructor(source: string, auth: PastedKeyAuth, read: () => Promise<string | undefined>, page?: SignInPage) {
    this.#source = source
    this.#auth = auth
    this.#read = read
    this.#page = page
  }

  headers(): Headers {
    return this.#headers ?? noHeaders
  }

  isFresh(): boolean {
    return this.#headers !== undefined
  }

  renew(refusal: GatewayError | undefined): Promise<void> {
    this.#renewing ??= this.#renew(refusal).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  reset(): void {
    this.#headers = undefined
  }

  async #renew(refusal: GatewayError | undefined): Promise<void> {
    const key = await this.#read()
    const before = this.#headers
    const next = key === undefined ? undefined : keyHeaders(this.#auth, key)
    const isNew = JSON.stringify(next) !== JSON.stringify(before)
    if (isNew) this.#headers = next
    if (next === undefined) throw this.#required('wants a key of your own, and there is none')
    if (refusal && !isNew) throw this.#required('does not take your key any more')
  }

  #required(why: string): GatewayError {
    const { help } = this.#auth
    const where = help === undefined ? '' : ` You find it at ${help}`
    return signInRequired(this.#source, 'key', `'${this.#source}' ${why}. Paste one on your page.${where}`, this.#page)
  }
}

/** A key as the header that carries it. */
export const keyHeaders = (
  { header = 'Authorization', prefix = '' }: Pick<PastedKeyAuth | GatewayKey, 'header' | 'prefix'>,
  key: string,
): Headers => Object.freeze({ [header.toLowerCase()]: `${prefix}${key}` })
