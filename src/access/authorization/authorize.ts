import { type GatewayError, isGatewayError } from '../../errors.js'
import { languageOf } from '../../http/language.js'
import type { HttpExchange } from '../../http/route.js'
import { signInReason } from '../../http/sign-in-words.js'
import type { Actor, Note } from '../../telemetry/deed.js'
import type { IdentityProvider } from '../identity-provider.js'
import { type AskedAccess, type FindClient, once, readAsked, ToldToClient } from './asked.js'
import { bondOf, isOwnForm } from './browser.js'
import { redirectOf } from './client.js'
import { consentPage, type RefusedReason, refusedPage, signedInAs, wrongKeyText } from './consent-page.js'
import type { Addresses } from './endpoints.js'
import { readForm } from './fields.js'
import type { KeySignIn } from './key-sign-in.js'
import type { Newcomer, NewSessions } from './new-session.js'
import { sendPage, sendTo } from './page.js'
import { answerAt } from './redirects.js'
import { isOAuthRefusal, type OAuthErrorCode } from './refusal.js'
import type { ConsentRound, Rounds } from './rounds.js'

export interface AuthorizeParts {
  readonly addresses: () => Addresses
  readonly find: FindClient
  readonly rounds: Rounds
  /** Undefined where people sign in by key. */
  readonly provider: IdentityProvider | undefined
  readonly keys: KeySignIn
  readonly begin: NewSessions
  /** False where too many came within the last minute. */
  readonly mayBegin: () => boolean
  readonly note: Note
}

/** Where browsers come back to from the identity provider. */
export const providerCallback = '/authorize/callback'

/** The three visits of a browser: it is asked, it answers, it comes back from the identity provider. */
export interface Authorize {
  ask(exchange: HttpExchange): Promise<void>
  answer(exchange: HttpExchange): Promise<void>
  comeBack(exchange: HttpExchange): Promise<void>
}

/** Consent, then the identity provider, then a code: nobody is signed in for a program that they did not agree to. */
export const createAuthorize = (parts: AuthorizeParts): Authorize => {
  const { addresses, find, rounds, provider, keys, begin, mayBegin, note } = parts

  const refuse = (exchange: HttpExchange, status: number, why: RefusedReason, more: RefusalFacts = {}): void => {
    const { detail, round, error = 'access_denied', client = '', actor = nobodyKnown } = more
    const back = round && { address: told(round, { error }), client }
    note({
      ...{
        kind: 'refusal',
        action: 'sign-in',
        actor,
        outcome: 'refused',
        code: why === 'away' ? 'ISSUER_UNAVAILABLE' : 'SIGN_IN_FAILED',
      },
      on: client === '' ? undefined : { type: 'client', id: client },
      after: why,
    })
    sendPage(exchange, status, refusedPage({ language: languageOf(exchange.request.headers), why, detail, back }))
  }
  /** The address of the client, with our answer and who gives it (RFC 9207). */
  const told = (
    { redirect, state }: Pick<ConsentRound, 'redirect' | 'state'>,
    fields: Readonly<Record<string, string | undefined>>,
  ): string => answerAt(redirect, { ...fields, state, iss: addresses().issuer })

  const show = (exchange: HttpExchange, asked: AskedAccess, status = 200, problem?: string): void => {
    const { isSecure, host } = addresses()
    const { digest, cookie } = bondOf(isSecure).tie(exchange.request)
    const language = languageOf(exchange.request.headers)
    const round = rounds.begin(asked, digest)
    const page = consentPage({ language, asked, host, round, asksKey: provider === undefined, problem })
    sendPage(exchange, status, page, { 'Set-Cookie': cookie })
  }

  /** What was asked when the round began, if its client still says so. */
  const again = async (round: ConsentRound): Promise<AskedAccess | undefined> => {
    const client = await find(round.client, round.redirect)
    const redirect = redirectOf(client, round.redirect)
    const endpoint = addresses().endpointOf(round.resource)
    if (client.version !== round.version || !redirect || !endpoint) return undefined
    return { client, redirect, endpoint, state: round.state, challenge: round.challenge, scope: round.scope }
  }

  const letIn = async (
    exchange: HttpExchange,
    round: ConsentRound,
    asked: AskedAccess,
    who: Newcomer,
  ): Promise<void> => {
    const outcome = await begin(asked, who)
    const { actor } = outcome
    const { name, key } = asked.client
    if ('refused' in outcome) {
      const detail =
        'signedIn' in who ? signedInAs(languageOf(exchange.request.headers), who.signedIn.identity) : undefined
      return refuse(exchange, 403, outcome.refused, { detail, round, client: name, actor })
    }
    const facts = { actor, on: { type: 'client', id: key }, profile: asked.endpoint.profile, outcome: 'ok' } as const
    note({ kind: 'consent', action: 'allow', ...facts })
    note({ kind: 'sign-in', action: 'begin', ...facts })
    sendTo(exchange, told(round, { code: outcome.code }))
  }

  const byKey = async (
    exchange: HttpExchange,
    round: ConsentRound,
    asked: AskedAccess,
    key: string | undefined,
  ): Promise<void> => {
    const check = await keys(key, exchange.request)
    if ('waitMs' in check) return refuse(exchange, 429, 'wrongKeys')
    if (!('key' in check)) return show(exchange, asked, 403, wrongKeyText[languageOf(exchange.request.headers)])
    if (!rounds.spend(round)) return refuse(exchange, 400, 'stale')
    return letIn(exchange, round, asked, { key: check.key })
  }

  const toProvider = async (
    exchange: HttpExchange,
    form: ConsentRound,
    at: IdentityProvider,
    client: string,
  ): Promise<void> => {
    const { state, round } = rounds.toProvider(form)
    try {
      sendTo(exchange, (await at.begin(signInRound(addresses(), state, round))).href)
    } catch (error) {
      if (!isGatewayError(error)) throw error
      failed(exchange, error, round, client)
    }
  }

  const failed = (exchange: HttpExchange, error: GatewayError, round: ConsentRound, client: string): void => {
    const isAway = error.code === 'ISSUER_UNAVAILABLE'
    refuse(exchange, isAway ? 503 : 403, isAway ? 'away' : 'provider', {
      ...{ detail: signInReason(languageOf(exchange.request.headers), error.message), round, client },
      error: isAway ? 'temporarily_unavailable' : 'access_denied',
    })
  }

  /** What goes wrong before it is known where to go back to stays on our own page. */
  const guarded = async (exchange: HttpExchange, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (error instanceof ToldToClient) {
        const { error: code, message } = error.refusal
        return sendTo(exchange, told(error.path, { error: code, error_description: message }))
      }
      if (!isOAuthRefusal(error)) throw error
      refuse(exchange, error.status, error.status === 503 ? 'busy' : 'request', { detail: error.message })
    }
  }

  return {
    ask: (exchange) =>
      guarded(exchange, async () => {
        if (!mayBegin()) return refuse(exchange, 429, 'busy')
        show(exchange, await readAsked(exchange.query, addresses(), find))
      }),
    answer: (exchange) =>
      guarded(exchange, async () => {
        const { request } = exchange
        const { origin, isSecure } = addresses()
        const form = await readForm(exchange)
        if (!isOwnForm(request, origin)) return refuse(exchange, 403, 'foreign')
        const round = rounds.open(once(form, 'round'), 'form')
        if (!round) return refuse(exchange, 400, 'stale')
        if (!bondOf(isSecure).isTied(request, round.browser)) return refuse(exchange, 403, 'foreign')
        const asked = await again(round)
        if (!asked) return refuse(exchange, 400, 'changed')
        if (once(form, 'answer') !== 'allow') {
          note({
            ...{ kind: 'consent', action: 'deny', actor: nobodyKnown, outcome: 'refused' },
            on: { type: 'client', id: asked.client.key },
          })
          return sendTo(exchange, told(round, { error: 'access_denied' }))
        }
        if (provider === undefined) return byKey(exchange, round, asked, once(form, 'key'))
        return toProvider(exchange, round, provider, asked.client.name)
      }),
    comeBack: (exchange) =>
      guarded(exchange, async () => {
        const { request, query } = exchange
        // A look ahead by a proxy or a mail scanner must not use up what works once.
        if (exchange.method === 'HEAD') return refuse(exchange, 405, 'stale')
        const state = once(query, 'state')
        const round = rounds.open(state, 'provider')
        if (!round || !provider) return refuse(exchange, 400, 'stale')
        if (!bondOf(addresses().isSecure).isTied(request, round.browser)) return refuse(exchange, 403, 'stale')
        if (!rounds.spend(round)) return refuse(exchange, 400, 'stale')
        const asked = await again(round)
        if (!asked) return refuse(exchange, 400, 'changed')
        try {
          const signedIn = await provider.finish(query, signInRound(addresses(), state!, round))
          await letIn(exchange, round, asked, { signedIn })
        } catch (error) {
          if (!isGatewayError(error)) throw error
          failed(exchange, error, round, asked.client.name)
        }
      }),
  }
}

interface RefusalFacts {
  readonly detail?: string | undefined
  /** Where there is a way back to the client. */
  readonly round?: ConsentRound | undefined
  readonly error?: OAuthErrorCode | undefined
  readonly client?: string | undefined
  readonly actor?: Actor | undefined
}

const signInRound = (addresses: Addresses, state: string, { nonce, verifier }: ConsentRound) => ({
  redirectUri: addresses.at(providerCallback),
  state,
  nonce,
  codeVerifier: verifier,
})

const nobodyKnown: Actor = Object.freeze({ id: 'anonymous', type: 'anonymous', via: 'sign-in' })
