import { messageOf } from '../errors.js'
import type { Route } from '../http/route.js'
import type { Caller } from '../model/caller.js'
import type { ExchangeSubject, SubjectOf } from '../sources/oauth/exchange.js'
import type { SignIns } from '../sources/oauth/sign-ins.js'
import type { Logger } from '../telemetry/logger.js'
import { keySetRoute } from './assertion-keys.js'
import type { OpenedPeople } from './people.js'
import type { OpenedSignIns } from './sign-ins.js'

/** What joins people here to what they have at sources; the routes by which sources check whom we vouch for. */
export const peopleAtSources = (
  signIns: Pick<OpenedSignIns, 'vouchBy' | 'endCaller' | 'assertionKeys'>,
  people: Pick<OpenedPeople, 'sessions' | 'onEnd'> | undefined,
  logger: Logger,
): readonly Route[] => {
  joinPeople(signIns, people, logger)
  return [keySetRoute(signIns.assertionKeys)]
}

/** What people have at sources hangs on who they are here: their sign-in vouches for them, and with them it goes. */
export const joinPeople = (
  signIns: Pick<SignIns, 'vouchBy' | 'endCaller'>,
  people: Pick<OpenedPeople, 'sessions' | 'onEnd'> | undefined,
  logger: Logger,
): void => {
  signIns.vouchBy(subjectBy(people?.sessions))
  people?.onEnd((id) => {
    signIns
      .endCaller(id)
      .catch((error: unknown) =>
        logger.log('warn', `What somebody who was ended has at sources could not be ended: ${messageOf(error)}`),
      )
  })
}

/** The token that was shown with this very request, else what the identity provider gave us at their sign-in. */
const subjectBy =
  (sessions: OpenedPeople['sessions'] | undefined): SubjectOf =>
  async ({ shown, session }: Caller): Promise<ExchangeSubject | undefined> => {
    if (shown) return { accessToken: shown() }
    const secrets = session === undefined ? undefined : await sessions?.secretsOf(session)
    return secrets && { accessToken: secrets.accessToken, idToken: secrets.idToken }
  }
