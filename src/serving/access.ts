import { rm } from 'node:fs/promises'
import { ensureAdminKey } from '../access/admin-key.js'
import { createKeyAuthenticator } from '../access/authenticate.js'
import { callerIdOf } from '../access/key-record.js'
import { createKeys, type Keys } from '../access/keys.js'
import { createOpenAnswers } from '../access/open-answers.js'
import type { Config } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import type { Authenticate } from '../http/auth.js'
import { assertBindAllowed } from '../http/auth-loopback.js'
import type { Route } from '../http/route.js'
import { type Caller, localCaller } from '../model/caller.js'
import { systemClock } from '../model/clock.js'
import { openSharedDocuments } from '../storage/open.js'
import type { Logger } from '../telemetry/logger.js'
import type { CurrentConfig } from './current.js'
import { say } from './locale.js'
import { isForOthers } from './public-address.js'

export interface AdminIntroduction {
  /** The words about the key that was made. They hold it. */
  tell(url: string): string
  /** Nobody was told of it, so the next start makes one anew. */
  takeBack(): Promise<void>
}

/** Who may come in, for `serve`. */
export interface Access {
  readonly keys: Keys
  readonly authenticate: Authenticate
  /** The routes as they should be served: an answer to a holder of a key ends with the key. */
  watch(routes: readonly Route[]): readonly Route[]
  /** Told who may no longer come, so that faces end what they hold for them. */
  onLeave(listener: (callerId: string) => void): void
  /** Makes the key for administration at the first start, before anybody can come in. Undefined where there was one. */
  introduceAdmin(): Promise<AdminIntroduction | undefined>
  close(): Promise<void>
}

/** The keys of the configured data folder. */
export const openKeys = ({ storage }: Config, logger: Logger): Promise<Keys> => {
  const clock = systemClock
  const { backend, path } = storage
  // Damaged keys are never set aside: a board that begins without any might let in whom they kept out.
  const documents = openSharedDocuments('keys', { backend, path, clock, logger })
  return createKeys({ documents, clock, logger: logger.child('access') })
}

/** Opens the keys, and refuses a bind that others can reach while nothing asks them who they are. */
export const openAccess = async (config: Config, current: CurrentConfig, logger: Logger): Promise<Access> => {
  const { host, token } = config.server
  const keys = await openKeys(config, logger)
  assertBindAllowed({ host, hasCredential: token !== undefined || keys.active().length > 0 })
  const answers = createOpenAnswers()
  keys.onRevoke(answers.cut)
  return {
    keys,
    authenticate: createKeyAuthenticator({
      keys,
      token,
      required: current.reading(
        ['auth.required', 'server.publicUrl'],
        ({ auth, server: { publicUrl } }) => auth.required || isForOthers({ host, publicUrl }),
      ),
      fallbackKey: config.auth.apiKey,
    }),
    watch: answers.watch,
    onLeave: (listener) => void keys.onRevoke((id) => listener(callerIdOf(id))),
    introduceAdmin: () => introduceAdmin(config, keys),
    close: async () => keys[Symbol.asyncDispose](),
  }
}

const introduceAdmin = async ({ storage }: Config, keys: Keys): Promise<AdminIntroduction | undefined> => {
  const made = await ensureAdminKey({ keys, folder: storage.backend === 'memory' ? undefined : storage.path })
  if (!made) return undefined
  const where =
    made.file === undefined
      ? say('good until this process ends', '在本进程结束前有效')
      : say(`also in ${made.file}`, `也保存在 ${made.file}`)
  return {
    // In the fragment, which browsers keep to themselves: no log and no proxy sees it.
    tell: (url) =>
      say(
        `Admin key (shown once, ${where}): ${made.key}\nOpen the console: ${url}/#key=${made.key}`,
        `管理密钥（只显示一次，${where}）：${made.key}\n打开控制台：${url}/#key=${made.key}`,
      ),
    takeBack: async () => {
      await keys.revoke(made.id)
      if (made.file !== undefined) await rm(made.file, { force: true })
    },
  }
}

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
export const openStdioVisitor = async (config: Config, profile: string, logger: Logger): Promise<StdioVisitor> => {
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
    return { caller: withProfile(localCaller, profile), profile, onLeave: () => {}, close: async () => {} }
  const keys = await openKeys(config, logger)
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
