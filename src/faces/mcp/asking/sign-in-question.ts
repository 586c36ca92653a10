import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../../errors.js'
import { notificationText } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Caller } from '../../../model/caller.js'
import type { CancelSignal } from '../../../model/cancel.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import type { Exchange } from '../exchange.js'
import type { Talk } from './talk.js'

/** Where callers sign in for themselves at sources that want that. */
export interface SignInDoor {
  /** A link for this caller alone; undefined where nobody vouches for who they are, or browsers cannot reach us. */
  link(caller: Caller, source: string): Promise<string | undefined>
  /** The page on which people see their own sign-ins; undefined where there is none. What is refused names it. */
  page(): string | undefined
  /** True as soon as the caller is signed in there; false once they were waited for this long, or the call has ended. */
  signedIn(caller: Caller, source: string, waitMs: number, signal: CancelSignal): Promise<boolean>
  /** Told once when the caller signs in there, if that is soon. */
  whenSignedIn(caller: Caller, source: string, tell: () => void): void
}

export interface SignInQuestion {
  readonly door: SignInDoor
  readonly exchange: Exchange
  readonly talk: Talk
  /** The same call once more. */
  again(): Promise<Outcome>
}

// A modern client comes back at once, whether or not its person has been in the browser; longer, and proxies end the request.
const waitMs = 25_000
// As many as a person's ten minutes.
const mostRounds = 24
const mostRefusals = 2

/**
 * Asks whoever called to sign in at the source, in the way of their era, and calls again when they did. Where a client cannot
 * be asked, the refusal goes out with the address of the page on which people sign in.
 */
export const askToSignIn = async (question: SignInQuestion, refused: GatewayError): Promise<Outcome | GatewayError> => {
  const { door, exchange, talk } = question
  const { caller, sender } = exchange
  const source = String(refused.details?.source)
  const url = mayBeSent(talk.capabilities) && isByLink(refused) ? await door.link(caller, source) : undefined
  if (url === undefined) return inBoth(refused)
  return sender.era === 'legacy' ? throwToLegacy(question, source, url) : askModern(question, source, url, refused)
}

/** The refusal, which names where to go, for whoever cannot be asked: in both languages, since nobody knows who reads it. */
const inBoth = ({ message, details }: GatewayError): GatewayError => {
  const told = details?.url === undefined ? message : `${message} （请在此登录后重试）`
  return new GatewayError('SIGN_IN_REQUIRED', told, { details, notSent: true })
}

const askModern = async (
  question: SignInQuestion,
  source: string,
  firstUrl: string,
  firstRefused: GatewayError,
): Promise<Outcome | GatewayError> => {
  const { door, exchange, talk, again } = question
  const { caller } = exchange
  let refused = firstRefused
  let url: string | undefined = firstUrl
  let refusals = 0
  for (let round = 0; round < mostRounds && url !== undefined; round++) {
    const params: JsonObject = { mode: 'url', message: messageFor(source), url }
    const { action } = await talk.ask({ method: 'elicitation/create', params, source }, talk.signal)
    if (action !== 'accept') return declined(refused, source)
    if (await door.signedIn(caller, source, waitMs, talk.signal)) {
      const outcome = await again()
      if (outcome.ok || outcome.error.code !== 'SIGN_IN_REQUIRED') return outcome
      refused = outcome.error
      refusals += 1
      // What was given there is not good: asked again and again, a client would go round at full speed.
      if (refusals === mostRefusals) break
    }
    url = await door.link(caller, source)
  }
  return inBoth(refused)
}

const throwToLegacy = ({ door, exchange }: SignInQuestion, source: string, url: string): never => {
  const { caller, session } = exchange
  const elicitationId = randomUUID()
  const message = messageFor(source)
  if (session)
    door.whenSignedIn(caller, source, () =>
      session.reach(notificationText('notifications/elicitation/complete', { elicitationId })),
    )
  throw new RpcError(rpcCodes.urlElicitationRequired, message, {
    data: { elicitations: [{ mode: 'url', elicitationId, url, message }] },
    httpStatus: 200,
  })
}

/** Whether the client declared that it opens addresses; an empty declaration means forms alone. */
const mayBeSent = ({ elicitation }: JsonObject): boolean => isRecord(elicitation) && elicitation.url !== undefined

/** Of those that nobody knows, no link helps. */
const isByLink = ({ details }: GatewayError): boolean => details?.kind !== 'identity'

const messageFor = (source: string): string =>
  `'${source}' wants your own sign-in. Open the link, sign in, and the call goes on. / “${source}” 需要您本人登录：打开链接登录后，调用会继续。`

const declined = ({ details }: GatewayError, source: string): GatewayError =>
  new GatewayError(
    'SIGN_IN_REQUIRED',
    `'${source}' wants your own sign-in, which was declined. Nothing was called. / “${source}” 需要您本人登录，但登录被拒绝，未执行调用。`,
    { details, notSent: true },
  )
