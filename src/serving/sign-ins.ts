import { GatewayError } from '../errors.js'
import type { Fleet } from '../fleet/fleet.js'
import type { Gateway } from '../gateway.js'
import { isWildcardHost } from '../http/admit.js'
import { type Clock, systemClock } from '../model/clock.js'
import { type CallerAssertions, createCallerAssertions } from '../sources/caller-assertions.js'
import type { CallerDocuments } from '../sources/oauth/caller-shelf.js'
import type { CredentialNews, Exclusively } from '../sources/oauth/options.js'
import { sealedBefore } from '../sources/oauth/sealed.js'
import { createSignIns, type SignIns } from '../sources/oauth/sign-ins.js'
import type { Commons } from '../storage/commons.js'
import type { Storage } from '../storage/storage.js'
import type { SharedDocuments } from '../storage/store.js'
import type { SealedDocuments, Vault } from '../storage/vault.js'
import { type Deed, type Note, systemActor } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import { type AssertionKeys, createAssertionKeys } from './assertion-keys.js'
import { say } from './locale.js'

/** Where browsers come back to after a sign-in. */
export const callbackPath = '/oauth/callback'

export interface OpenedSignIns extends SignIns, AsyncDisposable {
  /** What says to servers who calls. */
  readonly assertions: CallerAssertions
  readonly assertionKeys: AssertionKeys
}

export interface SignInsSurroundings {
  readonly logger: Logger
  readonly fleet: Fleet
  readonly vault: Vault
  /** Told every token that comes, so that nothing shows it. */
  readonly onSecret: (secret: string) => void
  readonly telemetry: { readonly note: Note }
}

/**
 * The sign-ins of the configured storage. They are shared documents: somebody may sign in by one process for another,
 * and a client's child has no address to which a browser could come back. They lie in the vault.
 */
export const openSignIns = (
  storage: Storage,
  gateway: Pick<Gateway, 'supervised'> | undefined,
  { logger: parent, fleet, vault, onSecret, telemetry }: SignInsSurroundings,
): OpenedSignIns => {
  const clock = systemClock
  const logger = parent.child('sign-in')
  const documents = vault.sealed(storage.shared('sign-ins'), 'sign-ins')
  const ofCallers = createCallerDocuments(storage, vault, () => void signIns.catchUp())
  const signIns = createSignIns({
    ...{ documents, clock, logger, onSecret, callerDocuments: async () => ofCallers },
    onCredential: (news) => telemetry.note(deedOf(news)),
    ...(storage.commons && sharedBy(storage, storage.commons, fleet, documents, logger)),
  })
  const leave = documents.follow?.(() => void signIns.catchUp())
  const assertionKeys = createAssertionKeys(storage, vault, clock)
  let redirectAt: () => string | undefined = () => undefined
  // What becomes of it is its state; nobody waits here.
  signIns.onChange(
    (name) =>
      void gateway
        ?.supervised(name)
        ?.restart()
        .catch(() => {}),
  )
  return {
    ...signIns,
    listenAt: (redirectUrl, page) => {
      redirectAt = redirectUrl
      signIns.listenAt(redirectUrl, page)
    },
    assertionKeys,
    assertions: createCallerAssertions({
      key: () => assertionKeys.current(),
      issuer: () => (redirectAt() ?? '').replace(callbackPath, ''),
      clock,
    }),
    [Symbol.asyncDispose]: async () => {
      leave?.()
      await ofCallers.close()
      await assertionKeys.close()
      await documents[Symbol.asyncDispose]()
    },
  }
}

/** Nobody asked for it: what a call needed, or what is left of somebody who was ended. */
const deedOf = ({ action, source, caller, revoked, grant, failed }: CredentialNews): Deed => {
  const code = action === 'lose' ? 'SIGN_IN_REQUIRED' : failed
  return {
    ...{ kind: 'credential', action, actor: systemActor, source, after: revoked ?? grant, code },
    on: caller === undefined ? { type: 'source', id: source } : { type: 'person', id: caller },
    outcome: code === undefined ? 'ok' : 'failed',
  }
}

const callerKind = 'caller-sign-ins'

interface OpenedDocuments {
  readonly raw: SharedDocuments
  readonly sealed: SealedDocuments
  readonly leave: (() => void) | undefined
}

/** What callers have at sources: sealed, each bound to whose it is and where. Opened with the first who has something. */
const createCallerDocuments = (
  storage: Storage,
  vault: Vault,
  onChange: () => void,
): CallerDocuments & { close(): Promise<void> } => {
  let opened: OpenedDocuments | undefined
  const open = (): OpenedDocuments => {
    if (opened) return opened
    const raw = storage.shared(callerKind)
    opened = { raw, sealed: vault.sealed(raw, callerKind), leave: raw.follow?.(onChange) }
    return opened
  }
  return {
    get: (id) => open().sealed.get(id),
    put: (id, value) => open().sealed.put(id, value),
    update: (id, change) => open().sealed.update(id, change),
    delete: (id) => open().sealed.delete(id),
    ids: async (prefix) => (await open().raw.all()).flatMap(({ id }) => (id.startsWith(prefix) ? [id] : [])),
    close: async () => {
      opened?.leave?.()
      await opened?.sealed[Symbol.asyncDispose]()
    },
  }
}

/** What replicas need of each other to sign in: none keeps anything of it in memory alone. */
const sharedBy = ({ backend }: Storage, commons: Commons, fleet: Fleet, documents: SealedDocuments, logger: Logger) => {
  const seal = fleet.seals.of('rest')
  const onLost = (id: string): void => {
    const source = id.split(' ', 1)[0]!
    logger.log('warn', `The sign-in of '${source}' was sealed by a secret that is gone. Run: pegboard auth ${source}`, {
      source,
    })
  }
  return {
    documents: backend === 'postgres' ? sealedBefore(documents, seal, onLost) : documents,
    pending: { rows: commons.pending, seal, now: () => fleet.now() },
    exclusively: exclusivelyBy(commons, fleet.replica, systemClock),
  }
}

// Longer than a token request may take, so that who has it is done before another could begin.
const turnMs = 30_000
const lookAgainMs = 500

/** One at a time in the fleet: by a lease of the store, which ends by itself where its holder does. */
export const exclusivelyBy =
  (commons: Pick<Commons, 'leases' | 'follow'>, replica: string, clock: Clock): Exclusively =>
  async (name, work) => {
    const { leases } = commons
    const until = clock.now() + turnMs + lookAgainMs
    for (;;) {
      const given = nextNews(commons, clock)
      const epoch = await leases.take(name, replica, turnMs).catch((error: unknown) => {
        given.leave()
        throw error
      })
      if (epoch !== undefined) {
        given.leave()
        return work().finally(() => leases.giveBack({ name, epoch }, replica).catch(() => {}))
      }
      if (clock.now() >= until) {
        given.leave()
        throw new GatewayError(
          'SOURCE_UNAVAILABLE',
          say(
            'Another replica renews this sign-in and does not end. Try again.',
            '另一个副本正在续期此登录信息且没有结束。请重试。',
          ),
          {
            notSent: true,
          },
        )
      }
      await given.came
    }
  }

/** Resolves when a lease was given back somewhere, or soon: news may be lost. */
const nextNews = (commons: Pick<Commons, 'follow'>, clock: Clock): { readonly came: Promise<void>; leave(): void } => {
  let leave = (): void => {}
  const came = new Promise<void>((resolve) => {
    const unfollow = commons.follow('lease', resolve)
    const cancel = clock.after(lookAgainMs, resolve, true)
    leave = () => {
      unfollow()
      cancel()
      resolve()
    }
  })
  void came.then(() => leave())
  return { came, leave: () => leave() }
}

/** The address at which a server that is reached there gets browsers back; undefined while it does not listen. */
export const redirectUrlAt = (listening: string): string | undefined => {
  if (!URL.canParse(listening)) return undefined
  const url = new URL(`${listening.replace(/\/+$/, '')}${callbackPath}`)
  if (isWildcardHost(url.hostname.replace(/^\[|\]$/g, ''))) url.hostname = '127.0.0.1'
  return url.href
}
