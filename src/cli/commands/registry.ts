import { GatewayError } from '../../errors.js'
import type { ListedServer } from '../../registries/server-json.js'
import { waysOf } from '../../registries/ways.js'
import { say } from '../../serving/locale.js'
import type { CommonFlags } from '../../serving/read-config.js'
import { parseServerWord, planServer } from '../../serving/registries/install.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { inputRows, plannedLines } from '../terminal/planned-lines.js'
import { toolTable } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { registryConfig, toJson, withRegistries } from './registry-add.js'

export interface RegistrySearchFlags extends CommonFlags {
  readonly registry?: string | undefined
  readonly limit?: string | undefined
}

/** `pegboard registry search WORDS`. */
export const search = async (words: readonly string[], flags: RegistrySearchFlags): Promise<void> => {
  const limit = toLimit(flags.limit)
  const terms = words.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '')
  const config = await registryConfig(flags)
  const { found, away } = await withRegistries(config, flags.registry, (registries) =>
    registries.search(terms, { limit }),
  )
  const rows = found.flatMap(({ registry, servers }) => servers.map((listed) => ({ registry, listed })))
  const json = {
    servers: rows.map(({ registry, listed }) => ({ registry, ...summary(listed) })),
    away,
    refused: found.flatMap(({ registry, refused }) => refused.map((each) => ({ registry, ...each }))),
    keptSince: found.flatMap(({ registry, keptSince }) =>
      keptSince === undefined ? [] : [{ registry, at: keptSince }],
    ),
  }
  if (rows.length === 0 && away.length === 0 && !flags.json)
    throw new CommandFailed(
      say(
        `No server has '${terms.join(' ')}' in its name. Registries look for a part of the name: try a shorter word.`,
        `没有名称含“${terms.join(' ')}”的服务器。注册表按名称的一部分查找：请换一个更短的词。`,
      ),
      exitCodes.notFound,
    )
  print(flags, json, [
    ...(rows.length > 0
      ? [
          toolTable(
            ['NAME', 'VERSION', 'HOW', 'DESCRIPTION'],
            rows.map(({ listed }) => rowOf(listed)),
          ),
        ]
      : []),
    ...found.flatMap(({ registry, keptSince }) =>
      keptSince === undefined
        ? []
        : [
            say(
              `! ${registry} is away; this is what it said at ${new Date(keptSince).toISOString()}.`,
              `! ${registry} 无法访问；以上是它在 ${new Date(keptSince).toISOString()} 的内容。`,
            ),
          ],
    ),
    ...away.map(({ registry, reason }) =>
      say(`! ${registry} was not asked: ${reason}`, `! 未能询问 ${registry}：${reason}`),
    ),
    ...found.flatMap(({ registry, refused }) =>
      refused.length === 0
        ? []
        : [
            say(
              `! ${registry}: ${refused.length} ${refused.length === 1 ? 'entry is' : 'entries are'} left out: ${refused[0]!.reason}`,
              `! ${registry}：略去 ${refused.length} 个条目：${refused[0]!.reason}`,
            ),
          ],
    ),
    ...(rows.length > 0
      ? [
          '',
          say(
            `Look at one: pegboard registry show ${rows[0]!.listed.server.name}${here(flags)}`,
            `查看：pegboard registry show ${rows[0]!.listed.server.name}${here(flags)}`,
          ),
        ]
      : []),
  ])
}

/** The next command asks where this one did. */
const here = ({ registry }: { readonly registry?: string | undefined }): string =>
  registry === undefined ? '' : ` --registry ${registry}`

const toLimit = (text = '20'): number => {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 500) return limit
  throw new GatewayError('ARGUMENTS_INVALID', say('--limit must be from 1 to 500.', '--limit 必须在 1 到 500 之间。'))
}

const rowOf = ({ server, standing }: ListedServer): readonly string[] => [
  server.name,
  server.version,
  [...new Set(waysOf(server).map(({ id }) => id.replace(/-\d+$/, '')))].join(', '),
  `${standing.status === 'deprecated' ? painted('yellow', say('given up: ', '已弃用：')) : ''}${oneLine(server.description)}`,
]

const summary = ({ server, standing }: ListedServer) => ({
  name: server.name,
  title: server.title,
  description: server.description,
  version: server.version,
  status: standing.status,
  updatedAt: standing.updatedAt,
  packages: waysOf(server).map(({ id, label }) => ({ id, label })),
})

export interface RegistryShowFlags extends CommonFlags {
  readonly registry?: string | undefined
  readonly package?: string | undefined
  readonly remote?: boolean | string | undefined
  readonly packageHost?: readonly string[] | undefined
}

/** `pegboard registry show NAME[@version]`. */
export const show = async (word: string, flags: RegistryShowFlags): Promise<void> => {
  const { name, version } = parseServerWord(word)
  const config = await registryConfig(flags)
  const { found, versions } = await withRegistries(config, flags.registry, async (registries) => ({
    found: await registries.find(name, version),
    versions: await registries.versions(name).catch(() => []),
  }))
  const way = flags.package ?? (flags.remote === true ? 'remote' : flags.remote || undefined)
  const planned = planServer(found, { way, rules: { packageHosts: flags.packageHost } }, config)
  const known = versions.map(({ server }) => server.version)
  print(flags, { ...toJson(planned), server: found.listed.server, versions: known }, [
    ...plannedLines(planned),
    ...(planned.inputs.length > 0
      ? ['', toolTable(['NAME', 'FOR', 'REQUIRED', 'DEFAULT', 'DESCRIPTION'], inputRows(planned.inputs))]
      : []),
    ...(known.length > 1
      ? ['', say(`Versions: ${known.slice(0, 20).join(', ')}`, `版本：${known.slice(0, 20).join('、')}`)]
      : []),
    '',
    say(`Add it with: pegboard add ${word}${here(flags)}`, `添加：pegboard add ${word}${here(flags)}`),
  ])
}
