import { hash } from 'node:crypto'
import { isGatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { defined, isRecord } from '../../model/json.js'
import type { DocumentSet } from '../../storage/store.js'
import type { IssuerKeys } from '../tokens/issuer-keys.js'
import { OAuthRefusal } from './refusal.js'

/** How what the identity provider signs for us is verified, and where that is kept which counts once. */
export interface ProviderTokenParts {
  readonly issuer: string
  readonly keys: Pick<IssuerKeys, 'get' | 'newerThan'>
  /** Which of them were used; all processes share it. */
  readonly used: Pick<DocumentSet, 'addUnless' | 'all' | 'delete'>
  readonly clock: Clock
  readonly now: () => number
}

export interface ExpectedToken {
  readonly audience: string
  /** Default: any. */
  readonly typ?: string | undefined
  readonly requiredClaims: readonly string[]
}

export type ProviderClaims = Readonly<Record<string, unknown>>

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const longest = 16_384
const longestId = 512
const mostUsed = 10_000
/** By how much the provider's clock may differ from ours. */
export const skewMs = 60_000

/** Its header and claims, once they are known to be the provider's and for us; undefined for anything else. */
export const readByProvider = async (
  { issuer, keys, clock }: ProviderTokenParts,
  text: string | undefined,
  { audience, typ, requiredClaims }: ExpectedToken,
): Promise<{ readonly claims: ProviderClaims; readonly typ: string | undefined } | undefined> => {
  if (text === undefined || text.length > longest || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return undefined
  const { jwtVerify, errors } = await import('jose')
  const options = {
    ...{ issuer, audience, algorithms, requiredClaims: [...requiredClaims] },
    ...defined({ typ }),
    clockTolerance: skewMs / 1000,
    currentDate: new Date(clock.wall()),
  }
  const by = (find: unknown) => jwtVerify(text, find as Parameters<typeof jwtVerify>[1] as never, options)
  try {
    const known = await keys.get()
    const { payload, protectedHeader } = await by(known.find).catch(async (error: unknown) => {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await keys.newerThan(known) : undefined
      if (!newer) throw error
      return by(newer.find)
    })
    const isAhead = !(Number(payload.iat) * 1000 <= clock.wall() + skewMs)
    const isNamed = typeof payload.jti === 'string' && payload.jti.length <= longestId
    return isAhead || !isNamed ? undefined : { claims: payload, typ: protectedHeader.typ }
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    if (!isGatewayError(error)) throw error
    throw new OAuthRefusal(
      'temporarily_unavailable',
      'The identity provider cannot be asked for its keys. Try again.',
      503,
    )
  }
}

/** Takes an id that counts once, over all processes; false where somebody had it. What is over is forgotten. */
export const spendOnce = async ({ used, now }: ProviderTokenParts, id: string, until: number): Promise<boolean> => {
  const over: string[] = []
  const isNew = await used.addUnless(id, { until: until + skewMs }, (there) => {
    over.length = 0
    for (const each of there) if (isRecord(each.value) && Number(each.value.until) < now()) over.push(each.id)
    return there.some((each) => each.id === id) || there.length - over.length >= mostUsed
  })
  if (isNew) await Promise.all(over.map((each) => used.delete(each).catch(() => false)))
  return isNew
}

/** Where a token that counts once is written down. */
export const spentId = (kind: string, { issuer }: ProviderTokenParts, { jti }: ProviderClaims): string =>
  hash('sha256', `${kind} ${issuer} ${jti}`, 'base64url')
