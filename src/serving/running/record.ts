import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GatewayError, messageOf } from '../../errors.js'
import { makeFolder } from '../../model/make-folder.js'
import { isRunning, type ProcessIdentity } from '../../storage/process-identity.js'
import { say } from '../locale.js'

/** How to find the gateway that runs on a data folder, and how to prove to it that one may read that folder. */
export interface RunRecord extends ProcessIdentity {
  /** What is said behind the door; another number is another language. */
  readonly protocol: number
  readonly url: string
  /** SHA-256 of the certificate it shows, where it speaks TLS. */
  readonly pin?: string | undefined
  readonly version: string
  /** The configuration file, or the folder where one is looked for. For people: the gateway itself says what it serves. */
  readonly config: string
  /** Made at each start; never sent, only proved. */
  readonly key: string
  /** Started in the background for clients over stdio, and ends after the last of them. */
  readonly shared: boolean
}

export const localProtocol = 1

export type Looked =
  | { readonly state: 'none' }
  | { readonly state: 'refused'; readonly error: GatewayError; readonly file: string }
  | { readonly state: 'found'; readonly record: RunRecord }

export const recordFileIn = (dataFolder: string): string => join(dataFolder, 'running.json')

export const newLocalKey = (): string => randomBytes(32).toString('base64url')

/** The record of a process that still lives. One that is damaged, or that others may have written, is refused with its reason. */
export const readRecord = async (dataFolder: string): Promise<Looked> => {
  const file = recordFileIn(dataFolder)
  try {
    const record = parseRecord(await readPrivate(file), file)
    return isRunning(record) ? { state: 'found', record } : { state: 'none' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { state: 'none' }
    return { state: 'refused', file, error: error instanceof GatewayError ? error : unreadable(file, error) }
  }
}

/** Whole or not at all, and readable by its owner only. */
export const writeRecord = async (dataFolder: string, record: RunRecord): Promise<void> => {
  const file = recordFileIn(dataFolder)
  const draft = `${file}.${process.pid}.tmp`
  await makeFolder(dirname(file))
  await rm(draft, { force: true })
  try {
    await writeFile(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Only its writer takes it away: a successor may have put its own in the place. */
export const removeRecord = async (dataFolder: string, key: string): Promise<void> => {
  const file = recordFileIn(dataFolder)
  const text = await readPrivate(file).catch(() => undefined)
  if (text?.includes(`"${key}"`)) await rm(file, { force: true })
}

const mostBytes = 64 * 1024

const readPrivate = async (file: string): Promise<string> => {
  refuseUnlessPrivate(file, await lstat(file))
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    // Looked at again, since the name may lead elsewhere by now.
    refuseUnlessPrivate(file, await handle.stat())
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

// Whoever may write here decides whom we hand our calls to; whoever may read here may call as we do.
const refuseUnlessPrivate = (file: string, stats: Stats): void => {
  const us = process.getuid?.()
  if (!stats.isFile() || stats.size > mostBytes)
    throw new GatewayError(
      'STORE_CORRUPT',
      say(`${file} is not a run record. ${removeIt()}`, `${file} 不是运行记录。${removeIt()}`),
      { details: { file } },
    )
  if (us === undefined) return
  if (stats.uid !== us)
    throw new GatewayError(
      'ACCESS_DENIED',
      say(
        `${file} belongs to another user (uid ${stats.uid}). ${removeIt()}`,
        `${file} 属于另一个用户（uid ${stats.uid}）。${removeIt()}`,
      ),
      {
        details: { file, uid: stats.uid },
      },
    )
  if ((stats.mode & 0o077) !== 0)
    throw new GatewayError(
      'ACCESS_DENIED',
      say(`${file} is open to other users. ${removeIt()}`, `${file} 对其他用户开放。${removeIt()}`),
      { details: { file } },
    )
}

const removeIt = (): string =>
  say(
    'It is not used; remove it, or use a data folder of your own: --data-path',
    '它未被使用；请删除它，或用 --data-path 指定自己的数据目录',
  )

const parseRecord = (text: string, file: string): RunRecord => {
  let value: Partial<Record<keyof RunRecord, unknown>> | null = null
  try {
    value = JSON.parse(text)
  } catch {
    // Told below, with everything else that is no record.
  }
  const { protocol, url, pin, version, config, key, pid, start, shared } = value ?? {}
  const whole =
    typeof protocol === 'number' &&
    typeof url === 'string' &&
    /^https?:\/\/[^/\s]+:\d{1,5}$/.test(url) &&
    (pin === undefined || typeof pin === 'string') &&
    typeof version === 'string' &&
    typeof config === 'string' &&
    typeof key === 'string' &&
    key.length >= 32 &&
    Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    typeof start === 'string'
  if (whole) return { protocol, url, pin, version, config, key, pid: pid as number, start, shared: shared === true }
  throw new GatewayError('STORE_CORRUPT', say(`${file} is damaged. ${removeIt()}`, `${file} 已损坏。${removeIt()}`), {
    details: { file },
  })
}

const unreadable = (file: string, cause: unknown): GatewayError =>
  new GatewayError(
    'STORE_UNREADABLE',
    say(
      `${file} cannot be read: ${messageOf(cause)}. ${removeIt()}`,
      `${file} 无法读取：${messageOf(cause)}。${removeIt()}`,
    ),
    {
      details: { file },
      cause,
    },
  )
