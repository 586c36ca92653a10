import type { IncomingMessage } from 'node:http'
import { createKeyAuthenticator } from '../access/authenticate.js'
import type { FetchDocument } from '../access/authorization/documents.js'
import type { Bearers } from '../access/bearer.js'
import { type ClientCertificates, createClientCertificates } from '../access/certificates.js'
import { callerIdOf } from '../access/key-record.js'
import { createKeys, type Keys, type KeysOptions } from '../access/keys.js'
import { createOpenAnswers } from '../access/open-answers.js'
import type { Config } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import type { Fleet } from '../fleet/fleet.js'
import type { Authenticate, AuthResult } from '../http/auth.js'
import { assertBindAllowed, type ClientPeers, createPeers } from '../http/auth-loopback.js'
import type { Route } from '../http/route.js'
import { createWrongKeys, type WrongKeys } from '../http/wrong-keys.js'
import { type Caller, localCaller } from '../model/caller.js'
import { systemClock } from '../model/clock.js'
import type { Storage } from '../storage/storage.js'
import type { Vault } from '../storage/vault.js'
import type { Note } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import type { CurrentConfig } from './current.js'
import { type AdminIntroduction, introduceAdmin } from './introduce-admin.js'
import { say } from './locale.js'
import { createLookAround } from './look-around.js'
import type { OpenedPeople } from './people.js'
import type { ProtectedResource } from './protected-resource.js'
import { isForOthers } from './public-address.js'

/** Who may come in, for `serve`. */
export interface Access {
  readonly keys: Keys
  readonly authenticate: Authenticate
  readonly peers: ClientPeers
  /** Where wrong credentials are counted, at whichever door they are shown. */
  readonly wrongKeys: WrongKeys
  /** What tells clients where a token is to be had; undefined where no tokens count. */
  readonly resource?: ProtectedResource | undefined
  /** From now on tokens of this kind count as well. Only where there is a `resource`. */
  take(bearers: Bearers): void
  /** From now on a browser may come by its cookie, where it shows nothing else. */
  takeCookies(callerOf: CookieHook): void
  /** Who signs in here; undefined where holders of keys alone come in. */
  readonly people?: OpenedPeople | undefined
  /** The pages and answers of our own authorization server; none where nobody signs in. */
  readonly signInRoutes: readonly Route[]
  /** Where clients are asked for certificates. */
  readonly certificates?: ClientCertificates | undefined
  /** The routes as they should be served: an answer ends with the key, the session or the person it is for. */
  watch(routes: readonly Route[]): readonly Route[]
  /** Told who may no longer come, so that faces end what they hold for them. */
  onLeave(listener: (callerId: string) => void): void
  /** The same of one sign-in, whose person may have others. */
  onSignOut(listener: (sessionId: string) => void): void
  /** Makes the key for administration at the first start, before anybody can come in. Undefined where nothing is to be said. */
  introduceAdmin(): Promise<AdminIntroduction | undefined>
  close(): Promise<void>
}

export type CookieHook = (request: IncomingMessage) => AuthResult | Promise<AuthResult> | undefined

export interface AccessSurroundings {
  readonly storage: Storage
  readonly fleet: Fleet
  /** Where what people hold at others is kept. */
  readonly vault: Vault
  readonly logger: Logger
  /** Writes down who came and who was refused. */
  readonly note: Note
  /** How the documents of OAuth clients are fetched; for tests. Default: from public addresses alone. */
  readonly fetchDocument?: FetchDocument | undefined
}

/** The keys that are kept there. */
export const openKeys = (storage: Storage, logger: Logger, ownerOf?: KeysOptions['ownerOf']): Promise<Keys> =>
  createKeys({
    ownerOf,
    documents: storage.shared('keys'),
    clock: systemClock,
    logger: logger.child('access'),
    lookAround: storage.commons && createLookAround(storage.commons),
  })

/** Opens the keys, and refuses a bind that others can reach while nothing asks them who they are. */
export const openAccess = async (current: CurrentConfig, around: AccessSurroundings): Promise<Access> => {
  const { storage, logger, vault, note } = around
  const config = current.atStart
  const { host, token, tls } = config.server
  // What strangers are told is loaded only where there is something to tell.
  const resource = takesTokens(config) ? (await import('./protected-resource.js')).openResource(current) : undefined
  let people: OpenedPeople | undefined
  const keys = await openKeys(storage, logger, resource && ((owner) => people?.people.ownerOf(owner)))
  // Nobody comes in without a certificate then, so none of the keys need be there yet.
  const isGuarded = tls?.clients === 'required'
  assertBindAllowed({
    host,
    hasCredential: token !== undefined || isGuarded || resource !== undefined || keys.active().length > 0,
  })
  const holders = current.reading(['server.tls.callers'], ({ server }) => server.tls?.callers ?? noHolders)
  const certificates =
    tls === undefined || tls.clients === 'none' ? undefined : createClientCertificates(holders, systemClock)
  const bearers: Bearers[] = []
  let cookies: CookieHook | undefined
  const answers = createOpenAnswers()
  // Loaded only where anybody signs in.
  people =
    resource &&
    (await (
      await import('./people.js')
    ).openPeople(current, { storage, vault, keys, logger, note, machines: answers.machines }))
  // Loaded only where tokens of others count.
  const tokens =
    config.auth.tokens.length === 0
      ? undefined
      : (await import('./tokens.js')).openTokens(current, { storage, logger, people: people?.people })
  if (tokens) bearers.push(tokens.bearers)
  const peers = createPeers(current.reading(['server.behindProxy'], ({ server }) => server.behindProxy))
  // One for all doors: who guesses at the page has guessed at the endpoint as well.
  const wrongKeys = createWrongKeys({ clock: systemClock })
  keys.onRevoke((id) => answers.cut(callerIdOf(id)))
  people?.onLeave(answers.cut)
  people?.sessions.onEnd(({ id }) => answers.cutSession(id))
  // Loaded only where people sign in.
  const authorization =
    people && config.auth.people
      ? (await import('./authorization.js')).openAuthorization(current, {
          ...around,
          signIn: people,
          keys,
          peers,
          wrongKeys,
        })
      : undefined
  if (authorization) bearers.push(authorization.bearers)
  return {
    keys,
    peers,
    wrongKeys,
    certificates,
    resource,
    people,
    signInRoutes: authorization?.routes ?? [],
    take: (kind) => void bearers.push(kind),
    takeCookies: (callerOf) => {
      cookies = callerOf
    },
    authenticate: createKeyAuthenticator({
      keys,
      token,
      bearers: resource && bearers,
      endpointOf: resource?.endpointOf,
      cookie: (request) => cookies?.(request),
      required: current.reading(
        ['auth.required', 'server.publicUrl', 'server.behindProxy'],
        ({ auth, server }) => auth.required || isForOthers({ ...server, host }),
      ),
      peers,
      wrongKeys,
      certificate: certificates?.callerOf,
      onExposed: tellOnce(logger),
      fallbackKey: config.auth.apiKey,
    }),
    watch: answers.watch,
    onLeave: (listener) => {
      keys.onRevoke((id) => listener(callerIdOf(id)))
      people?.onLeave(listener)
    },
    onSignOut: (listener) => void people?.sessions.onEnd(({ id }) => listener(id)),
    introduceAdmin: () => introduceAdmin(config, keys, storage.commons !== undefined),
    close: async () => {
      await tokens?.close()
      await authorization?.close()
      await people?.[Symbol.asyncDispose]()
      await keys[Symbol.asyncDispose]()
    },
  }
}

/** Whether people sign in, or tokens of others count. */
const takesTokens = ({ auth }: Config): boolean => auth.people !== undefined || auth.tokens.length > 0

const noHolders = {}

// Once per key: a client that comes again and again says nothing new.
const tellOnce = (logger: Logger) => {
  const told = new Set<string>()
  return ({ id }: Caller): void => {
    if (told.has(id) || told.size > 1000) return
    told.add(id)
    logger.log(
      'warn',
      `A key for administration (${id}) came over plain HTTP from another machine: use TLS, and make another key.`,
    )
  }
}

/** Programs that whoever owns this gateway runs beside it: they may all that our own code may, and are counted as one caller. */
export const ownPrograms: Caller = Object.freeze({ ...localCaller })

export interface StdioVisitor {
  readonly caller: Caller
  /** The profile to serve: the key's own, if it is tied to one. */
  readonly profile: string
  onLeave(listener: () => void): void
  close(): Promise<void>
}

/**
 * Who a client on our standard input is: whoever could start us, or the holder of `auth.apiKey`. Nobody is asked for a
 * key over a pipe, since whoever holds its other end could read our files as well.
 */
export const openStdioVisitor = async (
  config: Config,
  storage: Storage,
  profile: string,
  logger: Logger,
): Promise<StdioVisitor> => {
  const { required, apiKey } = config.auth
  if (required && apiKey === undefined)
    logger.log(
      'warn',
      say(
        'Keys are required over HTTP only; over stdio whoever started this process may use it.',
        '只有 HTTP 调用方需要密钥；通过 stdio，谁启动了本进程谁就可以使用。',
      ),
    )
  if (apiKey === undefined)
    return { caller: withProfile(ownPrograms, profile), profile, onLeave: () => {}, close: async () => {} }
  const keys = await openKeys(storage, logger)
  const check = keys.verify(apiKey)
  if (!check.ok)
    throw new GatewayError(
      'ACCESS_DENIED',
      say(`${check.message} (from auth.apiKey)`, `auth.apiKey 中的密钥不能使用：${check.message}`),
    )
  const own = check.caller.profile
  if (own !== undefined && profile !== 'default' && profile !== own)
    throw new GatewayError(
      'ACCESS_DENIED',
      say(
        `Insufficient permissions: this key sees only the profile '${own}'`,
        `权限不足：该密钥只能使用配置档“${own}”。`,
      ),
    )
  return {
    caller: withProfile(check.caller, own ?? profile),
    profile: own ?? profile,
    onLeave: (listener) => {
      keys.onRevoke((id) => {
        if (callerIdOf(id) === check.caller.id) listener()
      })
    },
    close: async () => keys[Symbol.asyncDispose](),
  }
}

const withProfile = (caller: Caller, profile: string): Caller =>
  profile === 'default' ? caller : { ...caller, profile }
