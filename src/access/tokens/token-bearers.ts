import type { JWTPayload, JWTVerifyOptions } from 'jose'
import { isGatewayError } from '../../errors.js'
import type { AuthRefusal, AuthResult } from '../../http/auth.js'
import type { Clock } from '../../model/clock.js'
import type { DocumentSet } from '../../storage/store.js'
import type { Bearers } from '../bearer.js'
import { type ClaimNames, claimAt, identityFrom } from '../claims.js'
import { callerBy, type GrantRow, grantOf } from '../grants.js'
import type { People } from '../people.js'
import type { IssuerFetch } from './discovery.js'
import { glanceAt, looksLikeJwt } from './glance.js'
import { type Introspection, isActive } from './introspect.js'
import { IssuerKeys, type KeySnapshot } from './issuer-keys.js'
import { clientIn, isMachine, issuedAtMs, notForUs, scopesIn } from './token-claims.js'
import { VerifiedTokens } from './verified-tokens.js'

/** An issuer whose tokens are taken as they are. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly algorithms: readonly string[]
  /** Whom its tokens are for. Default: the endpoint they are shown at. */
  readonly audience?: string | undefined
  readonly clockSkewSeconds: number
  readonly claims: ClaimNames
  /** Whom its tokens stand for. Default: as each of them says. */
  readonly subjects?: 'people' | 'machines' | undefined
  readonly introspect?: Introspection | undefined
}

export interface TokenBearersOptions {
  readonly issuers: readonly TrustedIssuer[]
  readonly fetch: IssuerFetch
  readonly clock: Clock
  /** Asked at each use; `clear` says that it answers otherwise than before. */
  readonly grants: () => readonly GrantRow[]
  readonly documents?: Pick<DocumentSet, 'get' | 'put'> | undefined
  readonly people?: Pick<People, 'isEnded' | 'seen'> | undefined
  readonly onTrouble?: ((error: Error) => void) | undefined
  /** Whether a source has tokens exchanged at their issuer: then a caller has the one they showed, for this request. */
  readonly exchanges?: (() => boolean) | undefined
}

interface Issuer extends TrustedIssuer {
  readonly keys: IssuerKeys
}

const withShown = (result: AuthResult, token: string): AuthResult =>
  'caller' in result ? { ...result, caller: { ...result.caller, shown: () => token } } : result

const keepMs = 60_000
/** Tokens that are being verified at the same time; more are told to come again. */
const mostAtOnce = 1000

/** Access tokens of other issuers: JWT that their keys signed, for the endpoint they are shown at. */
export class TokenBearers implements Bearers {
  readonly #options: TokenBearersOptions
  readonly #issuers: ReadonlyMap<string, Issuer>
  readonly #verified = new VerifiedTokens()
  readonly #pending = new Map<string, Promise<AuthResult>>()
  /** Counts what makes earlier answers wrong: one that was under way then is not remembered. */
  #round = 0

  constructor(options: TokenBearersOptions) {
    this.#options = options
    const { fetch, clock, documents, onTrouble } = options
    const onChange = () => this.clear()
    this.#issuers = new Map(
      options.issuers.map((each) => [
        each.issuer,
        { ...each, keys: new IssuerKeys({ issuer: each.issuer, fetch, clock, documents, onChange, onTrouble }) },
      ]),
    )
  }

  recognises(token: string): boolean {
    return looksLikeJwt(token)
  }

  verify(token: string, endpoint: string): AuthResult | Promise<AuthResult> {
    const result = this.#verify(token, endpoint)
    if (!this.#options.exchanges?.()) return result
    return 'then' in result ? result.then((late) => withShown(late, token)) : withShown(result, token)
  }

  #verify(token: string, endpoint: string): AuthResult | Promise<AuthResult> {
    const key = this.#verified.keyOf(token, endpoint)
    const known = this.#verified.get(key, this.#options.clock.wall())
    if (known) return this.#options.people?.isEnded(known.person, known.issuedAt) ? over : known.result
    return this.#pending.get(key) ?? this.#begin(token, endpoint, key)
  }

  /** Grants or keys are others than before. */
  clear(): void {
    this.#round++
    this.#verified.clear()
  }

  /** Reads the keys of all issuers before somebody waits for them. */
  async warm(): Promise<void> {
    await Promise.all(
      [...this.#issuers.values()].map(async ({ keys }) => keys.get()).map((each) => each.catch(() => {})),
    )
  }

  #begin(token: string, endpoint: string, key: string): AuthResult | Promise<AuthResult> {
    const seen = glanceAt(token)
    if ('why' in seen) return no(seen.why)
    const issuer = this.#issuers.get(seen.issuer)
    if (!issuer) return no('is of no issuer that is known here')
    if (!issuer.algorithms.includes(seen.algorithm)) return no('is signed in a way that is not taken here (alg)')
    if (this.#pending.size >= mostAtOnce) return busy
    const answer = this.#judge(token, endpoint, key, issuer)
      .catch((error: unknown) => this.#failed(error, issuer))
      .finally(() => this.#pending.delete(key))
    this.#pending.set(key, answer)
    return answer
  }

  async #judge(token: string, endpoint: string, key: string, issuer: Issuer): Promise<AuthResult> {
    const round = this.#round
    const { clock, people, fetch, grants } = this.#options
    const { claims, snapshot } = await verifySignature(token, endpoint, issuer, clock)
    const wrong = notForUs(claims) ?? notYet(claims, issuer, clock)
    if (wrong !== undefined) return no(wrong)
    const names = { names: issuer.claims, setting: 'auth.tokens[].claims', groupsNeeded: false }
    const identity = identityFrom(claims, names)
    const issuedAt = issuedAtMs(claims) ?? 0
    if (people?.isEnded(identity.id, issuedAt)) return over
    const { introspect } = issuer
    if (introspect && !(await isActive(token, { issuer: issuer.issuer, facts: snapshot.facts, fetch, introspect })))
      return over
    const kind = machineOr(issuer, claims) ? 'machine' : 'person'
    const client = clientIn(claims)
    const applicant = { identity, kind, client } as const
    const granted = grantOf(grants(), applicant)
    if (kind === 'person') people?.seen(identity)
    const result: AuthResult = granted
      ? { caller: callerBy(applicant, granted, { scopes: scopesIn(claims), client }), granted: granted.rights }
      : { refused: noGrant(claimAt(claims, issuer.claims.groups) === undefined ? issuer.claims.groups : undefined) }
    const keptMs = introspect ? introspect.cacheSeconds * 1000 : keepMs
    const until = Math.min(Number(claims.exp) * 1000, clock.wall() + keptMs)
    if (round === this.#round) this.#verified.set(key, { result, until, person: identity.id, issuedAt })
    return result
  }

  #failed(error: unknown, { keys }: Issuer): AuthResult {
    if (isJoseError(error)) return toRefusal(error)
    // What the claims say cannot be taken; told, since nobody could explain the silence.
    if (isGatewayError(error) && error.code === 'SIGN_IN_FAILED')
      return { refused: { status: 403, message: error.message } }
    this.#options.onTrouble?.(error as Error)
    return { refused: { ...unavailable, headers: { 'Retry-After': String(Math.ceil(keys.retryInMs / 1000)) } } }
  }
}

interface Verified {
  readonly claims: JWTPayload
  readonly snapshot: KeySnapshot
}

const verifySignature = async (token: string, endpoint: string, issuer: Issuer, clock: Clock): Promise<Verified> => {
  const { jwtVerify, errors } = await import('jose')
  const options: JWTVerifyOptions = {
    issuer: issuer.issuer,
    audience: issuer.audience ?? endpoint,
    algorithms: [...issuer.algorithms],
    requiredClaims: ['sub', 'exp'],
    clockTolerance: issuer.clockSkewSeconds,
    currentDate: new Date(clock.wall()),
  }
  const by = async (snapshot: KeySnapshot): Promise<Verified> => {
    try {
      return { claims: (await jwtVerify(token, snapshot.find, options)).payload, snapshot }
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
      // A token that names no key, and several that it may be of: each is tried.
      for await (const key of error) {
        try {
          return { claims: (await jwtVerify(token, key, options)).payload, snapshot }
        } catch (inner) {
          if (!(inner instanceof errors.JWSSignatureVerificationFailed)) throw inner
        }
      }
      throw new errors.JWSSignatureVerificationFailed()
    }
  }
  const snapshot = await issuer.keys.get()
  try {
    return await by(snapshot)
  } catch (error) {
    const newer = error instanceof errors.JWKSNoMatchingKey ? await issuer.keys.newerThan(snapshot) : undefined
    if (!newer) throw error
    return by(newer)
  }
}

const machineOr = ({ subjects }: Issuer, claims: JWTPayload): boolean =>
  subjects === undefined ? isMachine(claims) : subjects === 'machines'

/** From the future: then nobody could say when it was ended, and one of the two clocks is wrong. */
const notYet = (claims: JWTPayload, { clockSkewSeconds }: Issuer, clock: Clock): string | undefined => {
  const issuedAt = issuedAtMs(claims)
  return issuedAt !== undefined && issuedAt > clock.wall() + clockSkewSeconds * 1000 ? early : undefined
}

const early = 'is from the future: the clock here or that of its issuer is wrong'

const no = (why: string): AuthResult => ({ refused: { status: 401, message: `The token ${why}.` } })
const over: AuthResult = {
  refused: { status: 401, message: 'The token has been ended; sign in again.', isExpired: true },
}
const expired: AuthResult = {
  refused: { status: 401, message: 'The token has expired; get a new one.', isExpired: true },
}
const busy: AuthResult = {
  refused: { status: 503, message: 'Too many tokens are being verified.', headers: { 'Retry-After': '1' } },
}
const unavailable: AuthRefusal = {
  status: 503,
  message: 'The issuer of this token cannot be asked right now; the token may be good. Try again with the same one.',
}

const noGrant = (missing: string | undefined): AuthRefusal => ({
  status: 403,
  message: `Nobody has given you a role here (auth.grants)${missing === undefined ? '' : `; your token has no claim '${missing}'`}. Ask whoever runs this gateway.`,
})

interface JoseError {
  readonly code: string
  readonly claim?: unknown
}

const isJoseError = (error: unknown): error is JoseError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^ERR_J/.test(error.code)

/** In words of our own: the library's may hold what the token says. */
const toRefusal = ({ code, claim }: JoseError): AuthResult => {
  if (code === 'ERR_JWT_EXPIRED') return expired
  if (code === 'ERR_JWKS_NO_MATCHING_KEY') return no('is signed by a key that its issuer does not show')
  if (claim === 'aud') return no('is for somebody else: its audience (aud) is not this endpoint')
  if (claim === 'nbf') return no(early)
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED')
    return no('lacks a claim that it needs (iss, sub, exp), or has an odd one')
  return no('is not signed by a key of its issuer')
}
