import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Config } from '../config/schema.js'
import { GatewayError, messageOf } from '../errors.js'
import type { Secret } from '../model/seal.js'
import { createVault, type KeyedVault, markersKind } from '../storage/open-vault.js'
import type { Storage } from '../storage/storage.js'
import { givenKeys, keptKeys, type VaultKeys } from '../storage/vault-keys.js'
import { type VaultRoot, vaultRootOf } from '../storage/vault-seal.js'
import type { Logger } from '../telemetry/logger.js'
import { say } from './locale.js'

export interface VaultSurroundings {
  readonly storage: Storage
  readonly logger: Logger
  readonly env: Readonly<Record<string, string | undefined>>
  /** What a fleet seals by; it is the root of what lies in a database, unless `vault.key` says otherwise. */
  readonly fleetSecret: () => Promise<Secret | undefined>
  /** Told what must never be shown. */
  readonly onSecret: (secret: string) => void
  /** A gateway is refused at its start; a command that seals nothing does not ask for the key. */
  readonly when: 'at once' | 'lazily'
  /** What the default root sealed opens as well, on the way from it to `vault.key`. Default: it does not. */
  readonly fromDefault?: boolean | undefined
}

export type OpenedVault = KeyedVault & AsyncDisposable

/**
 * The vault of a configuration. Rejects `at once` with CONFIG_INVALID where `vault.key` gives no key, and with
 * CREDENTIAL_UNREADABLE where another key sealed what is kept.
 */
export const openVault = async (
  config: Pick<Config, 'vault' | 'fleet' | 'storage'>,
  around: VaultSurroundings,
): Promise<OpenedVault> => {
  const markers = around.storage.shared(markersKind)
  const wantsDefault = config.vault.key === undefined || around.fromDefault === true
  const fleetSecret = wantsDefault && isShared(config) ? await around.fleetSecret() : undefined
  const keys = whenAsked(() => keysOf(config, { ...around, fleetSecret }))
  const vault = createVault({ keys, markers, logger: around.logger.child('vault') })
  const close = (): Promise<void> => Promise.resolve(markers[Symbol.asyncDispose]())
  try {
    if (around.when === 'at once' && config.vault.key !== undefined) keys.known()
    if (around.when === 'at once') await vault.check()
  } catch (error) {
    await close()
    throw error
  }
  // A getter stays one: the root that seals may change while we run.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(vault),
      [Symbol.asyncDispose]: { value: close },
    },
  ) as OpenedVault
}

interface KeySurroundings extends Pick<VaultSurroundings, 'env' | 'logger' | 'onSecret' | 'fromDefault'> {
  readonly fleetSecret: Secret | undefined
}

/** Whether several processes may keep their data there without a folder in common. */
const isShared = ({ storage: { backend } }: Pick<Config, 'storage'>): boolean =>
  backend !== 'json' && backend !== 'sqlite'

/** The root before one was configured: where the data is. */
export const defaultKeys = (
  { fleet, storage: { backend, path } }: Pick<Config, 'fleet' | 'storage'>,
  { fleetSecret, logger }: Pick<KeySurroundings, 'fleetSecret' | 'logger'>,
): VaultKeys => {
  if (backend === 'json' || backend === 'sqlite') return keptKeys(path, logger)
  // In memory, and nobody else opens it.
  if (fleetSecret === undefined) return givenKeys(backend, [vaultRootOf(randomBytes(32))])
  const secret = typeof fleetSecret === 'function' ? fleetSecret() : fleetSecret
  return givenKeys(say('the secret of the fleet', '集群密钥'), [secret, ...fleet.previousSecrets].map(vaultRootOf))
}

/** The roots of a configuration. Throws CONFIG_INVALID where `vault.key` gives none. */
export const keysOf = (config: Pick<Config, 'vault' | 'fleet' | 'storage'>, around: KeySurroundings): VaultKeys => {
  const { key, previousKey } = config.vault
  const before = previousKey ? [rootOf(previousKey, 'vault.previousKey', around)] : []
  if (key === undefined) return alsoOpening(defaultKeys(config, around), before)
  const own = rootOf(key, 'vault.key', around)
  if (before.some(({ keyId }) => keyId === own.keyId)) throw sameKey()
  // A file may hold another by the time one is met that we do not know; a variable cannot, and a command is not run twice.
  const again = 'file' in key ? () => [rootOf(key, 'vault.key', around)] : undefined
  const previous = around.fromDefault ? [...before, ...defaultKeys(config, around).known()] : before
  return alsoOpening(givenKeys('vault.key', [own], again), previous)
}

const alsoOpening = (keys: VaultKeys, previous: readonly VaultRoot[]): VaultKeys =>
  previous.length === 0
    ? keys
    : {
        ...keys,
        known: () => [...keys.known(), ...previous],
        opening: (keyId) => previous.find((root) => root.keyId === keyId) ?? keys.opening(keyId),
      }

const whenAsked = (make: () => VaultKeys): VaultKeys => {
  let made: VaultKeys | undefined
  const keys = (): VaultKeys => (made ??= make())
  return {
    get place() {
      return keys().place
    },
    sealing: () => keys().sealing(),
    opening: (keyId) => keys().opening(keyId),
    known: () => keys().known(),
    get renew() {
      return keys().renew
    },
  }
}

type KeyPlace = NonNullable<Config['vault']['key']>

const mostBytes = 64 * 1024
const commandMs = 10_000
const leastChars = 32

/** One root as the operator keeps it: text of at least 32 characters, whatever it spells. */
const rootOf = (
  place: KeyPlace,
  setting: string,
  { env, onSecret }: Pick<VaultSurroundings, 'env' | 'onSecret'>,
): VaultRoot => {
  const text = textAt(place, setting, env).trim()
  const problem = problemOf(text)
  if (problem !== undefined) throw noKey(setting, problem)
  onSecret(text)
  return vaultRootOf(text)
}

const textAt = (place: KeyPlace, setting: string, env: VaultSurroundings['env']): string => {
  if ('env' in place) {
    const value = env[place.env]
    if (value === undefined || value === '')
      throw noKey(
        setting,
        say(
          `the variable ${place.env} is not set; set it for the gateway and for this command`,
          `环境变量 ${place.env} 未设置；请为网关和本命令设置它`,
        ),
      )
    return value
  }
  if ('file' in place) return readBounded(place.file, setting)
  const [program, ...args] = place.command
  try {
    // Before anybody is served, or in a command of its own: nobody waits but who asked.
    return execFileSync(program!, args, {
      encoding: 'utf8',
      timeout: commandMs,
      killSignal: 'SIGKILL',
      maxBuffer: mostBytes,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    })
  } catch (error) {
    // Its message repeats the arguments, and may end with what the program said.
    const { code, status, signal } = error as Readonly<Record<string, unknown>>
    const how = String(code ?? (signal ? `signal ${String(signal)}` : `exit ${String(status)}`))
    throw noKey(setting, say(`its command gave none (${how})`, `命令没有给出密钥（${how}）`))
  }
}

const readBounded = (file: string, setting: string): string => {
  let handle: number | undefined
  try {
    handle = openSync(file, 'r')
    const stats = fstatSync(handle)
    if (!stats.isFile() || stats.size > mostBytes)
      throw new Error(say(`it is no file of at most ${mostBytes} bytes`, `它不是不超过 ${mostBytes} 字节的文件`))
    const bytes = Buffer.alloc(mostBytes)
    return bytes.subarray(0, readSync(handle, bytes, 0, mostBytes, 0)).toString('utf8')
  } catch (error) {
    throw noKey(setting, say(`its file cannot be read: ${messageOf(error)}`, `无法读取其文件：${messageOf(error)}`))
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

const problemOf = (text: string): string | undefined => {
  const isHex = /^[0-9a-f]*$/i.test(text)
  const bytes = isHex ? text.length / 2 : Buffer.byteLength(text)
  if (bytes < leastChars)
    return say(
      `it has ${Math.floor(bytes)} bytes, and ${leastChars} are needed: openssl rand -base64 32`,
      `只有 ${Math.floor(bytes)} 字节，至少需要 ${leastChars} 字节：openssl rand -base64 32`,
    )
  if (new Set(text).size < 8)
    return say(
      'it is made of a handful of characters: openssl rand -base64 32',
      '只由几个字符组成：openssl rand -base64 32',
    )
  return undefined
}

const sameKey = (): GatewayError =>
  new GatewayError(
    'CONFIG_INVALID',
    say(
      'vault.previousKey is the same key as vault.key, so nothing of before would open. Put the key from before there, or take it out if there is none.',
      'vault.previousKey 与 vault.key 是同一个密钥，因此无法解密以前的内容。请填入以前的密钥；如果没有，请删除这一项。',
    ),
    { details: { path: 'vault.previousKey' } },
  )

const noKey = (setting: string, problem: string): GatewayError =>
  new GatewayError(
    'CONFIG_INVALID',
    say(`${setting} gives no key: ${problem}.`, `${setting} 没有给出密钥：${problem}。`),
    { details: { path: setting } },
  )
