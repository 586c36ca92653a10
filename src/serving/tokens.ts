import type { People } from '../access/people.js'
import { TokenBearers } from '../access/tokens/token-bearers.js'
import type { Config } from '../config/schema.js'
import { isGatewayError } from '../errors.js'
import { systemClock } from '../model/clock.js'
import type { Storage } from '../storage/storage.js'
import type { Logger } from '../telemetry/logger.js'
import type { CurrentConfig } from './current.js'
import { openIssuerFetch } from './issuer-fetch.js'

export interface OpenedTokens {
  readonly bearers: TokenBearers
  close(): Promise<void>
}

export interface TokensSurroundings {
  readonly storage: Storage
  readonly logger: Logger
  readonly people?: Pick<People, 'isEnded' | 'seen'> | undefined
}

/** The tokens of `auth.tokens`. Their issuers are asked behind the start: one that is away keeps nobody else out. */
export const openTokens = (current: CurrentConfig, { storage, logger, people }: TokensSurroundings): OpenedTokens => {
  const { tokens } = current.atStart.auth
  const { fetch, close } = openIssuerFetch(tokens.map(({ issuer }) => issuer))
  const documents = storage.shared('issuer-keys')
  const bearers = new TokenBearers({
    issuers: tokens,
    fetch,
    documents,
    people,
    clock: systemClock,
    grants: current.reading(['auth.grants'], ({ auth }) => auth.grants),
    onTrouble: tellSeldom(logger.child('access')),
    exchanges: exchangesIn(current.reading(['sources'], ({ sources }) => sources)),
  })
  current.follow(['auth.grants'], () => bearers.clear())
  void bearers.warm()
  return {
    bearers,
    close: async () => {
      await close()
      await documents[Symbol.asyncDispose]()
    },
  }
}

const sayAgainMs = 60_000

/** Once a minute for each issuer: whoever comes with a token would say it again. */
const tellSeldom = (logger: Logger) => {
  const told = new Map<unknown, number>()
  return (error: Error): void => {
    const issuer = isGatewayError(error) ? error.details?.issuer : undefined
    const now = systemClock.now()
    if (now - (told.get(issuer) ?? Number.NEGATIVE_INFINITY) < sayAgainMs) return
    told.set(issuer, now)
    logger.log('warn', `Tokens of an issuer may not be verified: ${error.message}`)
  }
}

/** Whether a source has tokens exchanged; looked at once per configuration, since every request asks. */
const exchangesIn = (sources: () => Config['sources']): (() => boolean) => {
  let seen: Config['sources'] | undefined
  let isWanted = false
  return () => {
    const now = sources()
    if (now === seen) return isWanted
    seen = now
    isWanted = Object.values(now).some((each) => 'auth' in each && each.auth?.type === 'exchange')
    return isWanted
  }
}
