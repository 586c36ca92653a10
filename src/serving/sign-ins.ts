import type { Gateway } from '../gateway.js'
import { isWildcardHost } from '../http/admit.js'
import { systemClock } from '../model/clock.js'
import { createSignIns, type SignIns } from '../sources/oauth/sign-ins.js'
import type { Storage } from '../storage/storage.js'
import type { Logger } from '../telemetry/logger.js'

/** Where browsers come back to after a sign-in. */
export const callbackPath = '/oauth/callback'

export type OpenedSignIns = SignIns & AsyncDisposable

export interface SignInsSurroundings {
  readonly logger: Logger
  readonly onSecret?: ((secret: string) => void) | undefined
}

/**
 * The sign-ins of the configured data folder. They are shared documents: somebody may sign in by one process for another,
 * and a client's child has no address to which a browser could come back.
 */
export const openSignIns = (
  storage: Storage,
  gateway: Pick<Gateway, 'supervised'> | undefined,
  { logger, onSecret = () => {} }: SignInsSurroundings,
): OpenedSignIns => {
  const clock = systemClock
  const documents = storage.shared('sign-ins')
  const signIns = createSignIns({ documents, clock, logger: logger.child('sign-in'), onSecret })
  // What becomes of it is its state; nobody waits here.
  signIns.onChange(
    (name) =>
      void gateway
        ?.supervised(name)
        ?.restart()
        .catch(() => {}),
  )
  return { ...signIns, [Symbol.asyncDispose]: () => documents[Symbol.asyncDispose]() }
}

/** The address at which a server that is reached there gets browsers back; undefined while it does not listen. */
export const redirectUrlAt = (listening: string): string | undefined => {
  if (!URL.canParse(listening)) return undefined
  const url = new URL(`${listening.replace(/\/+$/, '')}${callbackPath}`)
  if (isWildcardHost(url.hostname.replace(/^\[|\]$/g, ''))) url.hostname = '127.0.0.1'
  return url.href
}
