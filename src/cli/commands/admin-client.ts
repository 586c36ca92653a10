import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadedConfig } from '../../config/load.js'
import { GatewayError, messageOf } from '../../errors.js'
import { adminPath } from '../../faces/admin/admin-operation.js'
import { defined } from '../../model/json.js'
import { say } from '../../serving/locale.js'
import { addressOf } from '../../serving/our-launch.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { fetchOwn, type Recognition, recognitionOf } from '../../serving/running/pinned.js'
import { readRecord } from '../../serving/running/record.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'

/** The running gateway of this configuration, asked over its admin API. */
export interface AdminClient {
  readonly address: string
  get<Answer>(path: string): Promise<Answer>
  post<Answer>(path: string, body?: object): Promise<Answer>
  del<Answer>(path: string): Promise<Answer>
}

export interface AdminFlags extends CommonFlags {
  /** Instead of the one in the data folder, which only its owner can read. */
  readonly key?: string | undefined
}

// A look is answered at once or not at all; a restart takes as long as the source it starts.
const patienceMs = { GET: 5000, DELETE: 5000, POST: 30_000 } as const
const maxBytes = 32 * 1024 * 1024

export const openAdminClient = async (flags: AdminFlags): Promise<AdminClient> => {
  const loaded = await readConfig(flags)
  const { address, recognition } = await whereItRuns(loaded, flags)
  const key = await findKey(loaded, flags)
  const ask = async <Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body: object = {}): Promise<Answer> => {
    const response = await fetchOwn(`${address}${adminPath}${path}`, recognition, {
      method,
      headers: defined({
        authorization: key === undefined ? undefined : `Bearer ${key}`,
        'content-type': method === 'POST' ? 'application/json' : undefined,
      }),
      body: method === 'POST' ? JSON.stringify(body) : undefined,
      waitMs: patienceMs[method],
    }).catch((error: unknown) => {
      throw notRunning(address, error)
    })
    if (!response.ok) throw await refusal(response, address)
    if (Number(response.headers.get('content-length') ?? 0) > maxBytes)
      throw new GatewayError(
        'RESULT_TOO_LARGE',
        say(
          `${address} answered with more than ${maxBytes} bytes. Try again later.`,
          `${address} 的应答超过 ${maxBytes} 字节，请稍后再试。`,
        ),
      )
    return (await response.json()) as Answer
  }
  return {
    address,
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    del: (path) => ask('DELETE', path),
  }
}

/** Where it says it is, unless somebody says where it is. */
const whereItRuns = async (
  { config, dataFolder }: LoadedConfig,
  flags: AdminFlags,
): Promise<{ readonly address: string; readonly recognition: Recognition }> => {
  const looked = flags.port === undefined && flags.host === undefined ? await readRecord(dataFolder) : undefined
  if (looked?.state === 'found') return { address: looked.record.url, recognition: looked.record }
  return { address: addressOf(config), recognition: await recognitionOf(config) }
}

const findKey = async ({ dataFolder }: LoadedConfig, flags: AdminFlags): Promise<string | undefined> => {
  const told = flags.key ?? process.env.PEGBOARD_ADMIN_KEY
  if (told !== undefined && told !== '') return told
  return keptAdminKey(dataFolder)
}

/** The key that `serve` made, for those who may read the data folder. */
export const keptAdminKey = async (dataFolder: string): Promise<string | undefined> => {
  const text = await readFile(join(dataFolder, 'admin.key'), 'utf8').catch(() => '')
  return text.trim() || undefined
}

const notRunning = (address: string, cause: unknown): CommandFailed => {
  const { code: ownCode, cause: inner } = cause as { code?: unknown; cause?: { code?: string | undefined } | undefined }
  const code = inner?.code ?? (typeof ownCode === 'string' ? ownCode : undefined)
  const why = code === 'ECONNREFUSED' ? '' : ` (${code ?? messageOf(cause)})`
  return new CommandFailed(
    say(
      `No gateway answers at ${address}${why}. Start one with: pegboard serve. If it listens elsewhere, say so: --port or --config`,
      `${address} 没有网关应答${why}。启动：pegboard serve。如果它在别处监听，请用 --port 或 --config 指明。`,
    ),
    exitCodes.unreachable,
  )
}

const refusal = async (response: Response, address: string): Promise<Error> => {
  if (response.status === 401 || response.status === 403)
    return new CommandFailed(
      say(
        `The gateway at ${address} asks for its admin key. It is in admin.key of its data folder: run this as the user who started it, or set PEGBOARD_ADMIN_KEY.`,
        `${address} 的网关要求管理密钥。它在网关数据目录的 admin.key 中：请以启动网关的用户运行，或设置 PEGBOARD_ADMIN_KEY。`,
      ),
      exitCodes.auth,
    )
  const body = (await response.json().catch(() => ({}))) as {
    message?: string | undefined
    error?: { message?: string | undefined } | undefined
  }
  const message = body.error?.message ?? body.message
  if (response.status === 404)
    return new CommandFailed(
      message ?? say(`${address} is not a gateway of this version.`, `${address} 不是此版本的网关。`),
      exitCodes.notFound,
    )
  return new CommandFailed(
    message ??
      say(
        `${address} answered ${response.status}. See its log: pegboard logs`,
        `${address} 返回 ${response.status}。查看其日志：pegboard logs`,
      ),
    exitCodes.failed,
  )
}
