import { rm } from 'node:fs/promises'
import { type AdminKey, ensureAdminKey } from '../access/admin-key.js'
import { createKeyAuthenticator } from '../access/authenticate.js'
import { type ClientCertificates, createClientCertificates } from '../access/certificates.js'
import { callerIdOf } from '../access/key-record.js'
import { createKeys, type Keys } from '../access/keys.js'
import { createOpenAnswers } from '../access/open-answers.js'
import type { Config } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import type { Authenticate } from '../http/auth.js'
import { assertBindAllowed, type ClientPeers, createPeers } from '../http/auth-loopback.js'
import type { Route } from '../http/route.js'
import { type Caller, localCaller } from '../model/caller.js'
import { systemClock } from '../model/clock.js'
import type { Storage } from '../storage/storage.js'
import type { Logger } from '../telemetry/logger.js'
import type { CurrentConfig } from './current.js'
import { say } from './locale.js'
import { isForOthers } from './public-address.js'

export interface AdminIntroduction {
  /** The words about the key that was made. They hold it on a terminal alone: whatever else keeps them is read by others. */
  tell(url: string, isTerminal: boolean): string
  /** Nobody was told of it, so the next start makes one anew. */
  takeBack(): Promise<void>
}

/** Who may come in, for `serve`. */
export interface Access {
  readonly keys: Keys
  readonly authenticate: Authenticate
  readonly peers: ClientPeers
  /** Where clients are asked for certificates. */
  readonly certificates?: ClientCertificates | undefined
  /** The routes as they should be served: an answer to a holder of a key ends with the key. */
  watch(routes: readonly Route[]): readonly Route[]
  /** Told who may no longer come, so that faces end what they hold for them. */
  onLeave(listener: (callerId: string) => void): void
  /** Makes the key for administration at the first start, before anybody can come in. Undefined where there was one. */
  introduceAdmin(): Promise<AdminIntroduction | undefined>
  close(): Promise<void>
}

/** The keys that are kept there. */
export const openKeys = (storage: Storage, logger: Logger): Promise<Keys> =>
  createKeys({ documents: storage.shared('keys'), clock: systemClock, logger: logger.child('access') })

/** Opens the keys, and refuses a bind that others can reach while nothing asks them who they are. */
export const openAccess = async (current: CurrentConfig, storage: Storage, logger: Logger): Promise<Access> => {
  const config = current.atStart
  const { host, token, tls } = config.server
  const keys = await openKeys(storage, logger)
  // Nobody comes in without a certificate then, so none of the keys need be there yet.
  const isGuarded = tls?.clients === 'required'
  assertBindAllowed({ host, hasCredential: token !== undefined || isGuarded || keys.active().length > 0 })
  const holders = current.reading(['server.tls.callers'], ({ server }) => server.tls?.callers ?? noHolders)
  const certificates =
    tls === undefined || tls.clients === 'none' ? undefined : createClientCertificates(holders, systemClock)
  const answers = createOpenAnswers()
  const peers = createPeers(current.reading(['server.behindProxy'], ({ server }) => server.behindProxy))
  keys.onRevoke(answers.cut)
  return {
    keys,
    peers,
    certificates,
    authenticate: createKeyAuthenticator({
      keys,
      token,
      required: current.reading(
        ['auth.required', 'server.publicUrl', 'server.behindProxy'],
        ({ auth, server }) => auth.required || isForOthers({ ...server, host }),
      ),
      peers,
      certificate: certificates?.callerOf,
      onExposed: tellOnce(logger),
      fallbackKey: config.auth.apiKey,
    }),
    watch: answers.watch,
    onLeave: (listener) => void keys.onRevoke((id) => listener(callerIdOf(id))),
    introduceAdmin: () => introduceAdmin(config, keys),
    close: async () => keys[Symbol.asyncDispose](),
  }
}

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

const introduceAdmin = async ({ storage }: Config, keys: Keys): Promise<AdminIntroduction | undefined> => {
  const made = await ensureAdminKey({ keys, folder: storage.backend === 'memory' ? undefined : storage.path })
  if (!made) return undefined
  return {
    tell: (url, isTerminal) => (isTerminal ? toldOnce(made, url) : whereItIs(made.file, url)),
    takeBack: async () => {
      await keys.revoke(made.id)
      if (made.file !== undefined) await rm(made.file, { force: true })
    },
  }
}

const toldOnce = ({ key, file }: AdminKey, url: string): string => {
  const where =
    file === undefined
      ? say('good until this process ends', '在本进程结束前有效')
      : say(`also in ${file}`, `也保存在 ${file}`)
  // In the fragment, which browsers keep to themselves: no log and no proxy sees it.
  return say(
    `Admin key (shown once, ${where}): ${key}\nOpen the console: ${url}/#key=${key}`,
    `管理密钥（只显示一次，${where}）：${key}\n打开控制台：${url}/#key=${key}`,
  )
}

// A journal, `docker logs` and a redirected file keep what they are told, for whoever may read them (S17).
const whereItIs = (file: string | undefined, url: string): string =>
  file === undefined
    ? say(
        'Admin key: made, and not shown, since this is no terminal and the memory storage keeps no file of it. Start in a terminal, or with --storage-backend json.',
        '管理密钥：已创建但未显示，因为这里不是终端，而内存存储不保存文件。请在终端中启动，或使用 --storage-backend json。',
      )
    : say(
        `Admin key: in ${file}, for its owner alone; it is shown on terminals only.\nOpen the console: ${url}/ and paste it.`,
        `管理密钥：在 ${file} 中，只有所有者可读；仅在终端上显示。\n打开控制台：${url}/ 并粘贴密钥。`,
      )

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
