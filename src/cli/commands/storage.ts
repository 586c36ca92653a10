import { GatewayError } from '../../errors.js'
import { say } from '../../serving/locale.js'
import { quietLogger } from '../../serving/logger.js'
import { countsOf, type MoveReport, moveStorage } from '../../serving/move-storage.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { storageOf } from '../../serving/storage.js'
import { assertOwnFolder } from '../../serving/trust/stranger-words.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'

/** Where data can be moved to; what is in memory is gone before it could be. */
export const moveTargets = ['json', 'sqlite', 'postgres'] as const

export interface MoveFlags extends CommonFlags {
  readonly to?: (typeof moveTargets)[number] | undefined
  readonly folder?: string | undefined
  readonly url?: string | undefined
  readonly schema?: string | undefined
  readonly merge?: boolean | undefined
  readonly dryRun?: boolean | undefined
}

/** `pegboard storage`: what is kept, and where. */
export const showStorage = async (flags: CommonFlags): Promise<void> => {
  const loaded = await readConfig(flags)
  const { config } = loaded
  await assertOwnFolder(config.storage)
  await using storage = await storageOf(config, quietLogger(loaded, flags, 'warn'))
  // Read beside a gateway that runs, where that has it for itself.
  const opened = await storage.store().catch(() => undefined)
  const kinds = opened ? await storage.kinds(opened) : []
  const reader = opened ? undefined : storage.reader()
  const counts = opened
    ? await countsOf(opened, storage, kinds)
    : new Map([['tools', (await reader!.load()).length] as const])
  const bytes = await storage.bytes()
  await opened?.[Symbol.asyncDispose]()
  const { backend, place } = storage
  if (flags.json) return print(JSON.stringify({ backend, place, bytes, counts: Object.fromEntries(counts) }, null, 2))
  print(say(`${backend} at ${place}`, `${backend}，位于 ${place}`))
  print(
    table(
      [say('WHAT', '内容'), say('COUNT', '数量')],
      [...counts].map(([kind, count]) => [kind, String(count)]),
    ),
  )
  if (bytes !== undefined) print(say(`${megabytes(bytes)} MB in all`, `共 ${megabytes(bytes)} MB`))
}

/** `pegboard storage move --to …`. */
export const move = async (flags: MoveFlags): Promise<void> => {
  if (flags.to === undefined)
    throw new CommandFailed(
      say(`Say where to: --to ${moveTargets.join(', --to ')}`, `请指明迁移到哪里：--to ${moveTargets.join('、--to ')}`),
      exitCodes.failed,
    )
  const loaded = await readConfig(flags)
  const { config } = loaded
  if (config.storage.backend === 'memory')
    throw new GatewayError(
      'CONFIG_INVALID',
      say('The memory storage keeps nothing that could be moved.', '内存存储没有可迁移的内容。'),
    )
  if (/^\w+:\/\/[^/@]*:[^/@]+@/.test(flags.url ?? ''))
    process.stderr.write(
      say(
        "The password in --url can be read by every user of this machine (ps, /proc) and stays in the shell's history. Set PEGBOARD_DATABASE_URL instead.\n",
        '--url 中的密码会被本机所有用户看到（ps、/proc），并留在 shell 历史中。请改用环境变量 PEGBOARD_DATABASE_URL。\n',
      ),
    )
  await assertOwnFolder(config.storage)
  const to = {
    ...config.storage,
    backend: flags.to,
    path: flags.folder ?? config.storage.path,
    url: flags.url ?? config.storage.url,
    schema: flags.schema ?? config.storage.schema,
  }
  await assertOwnFolder(to)
  const isTold = process.stderr.isTTY && flags.json !== true
  const report = await moveStorage({
    ...{ config, to },
    isMerge: flags.merge === true,
    isDry: flags.dryRun === true,
    logger: quietLogger(loaded, flags, 'warn'),
    onProgress: (kind, done, total) => {
      if (isTold) process.stderr.write(`\r${kind} ${done}/${total}${done === total ? '\n' : ''}`)
    },
  })
  if (flags.json) return print(JSON.stringify(report, null, 2))
  tell(report)
}

const tell = ({ from, to, isDry, kinds }: MoveReport): void => {
  print(
    table(
      [say('WHAT', '内容'), say('TO MOVE', '待迁移'), say('THERE BEFORE', '目标原有'), say('THERE NOW', '目标现有')],
      kinds.map(({ kind, count, before, after }) => [kind, String(count), String(before), isDry ? '–' : String(after)]),
    ),
  )
  const ends = `${from.backend} ${from.place} → ${to.backend} ${to.place}`
  if (isDry) return print(say(`Nothing was moved: ${ends}`, `未迁移任何内容：${ends}`))
  print(say(`Moved: ${ends}. Nothing was deleted at the origin.`, `已迁移：${ends}。原处未删除任何内容。`))
  print(
    say(
      `Next: set storage.backend to "${to.backend}" in the configuration, then start.`,
      `下一步：把配置中的 storage.backend 设为 "${to.backend}"，然后启动。`,
    ),
  )
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

const print = (text: string): void => void process.stdout.write(`${text}\n`)
