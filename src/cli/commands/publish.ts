import { readFile } from 'node:fs/promises'
import { publishedServers } from '../../config/publish-schema.js'
import type { Config } from '../../config/schema.js'
import { GatewayError, messageOf } from '../../errors.js'
import { defined } from '../../model/json.js'
import { say } from '../../serving/locale.js'
import type { Publication } from '../../serving/publish/ledger.js'
import { type PublishedRow, publishedRows } from '../../serving/publish/published.js'
import { type CommonFlags, lookAtConfig } from '../../serving/read-config.js'
import { noteEdited } from '../../serving/typed-deeds.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'
import { openPlace } from './edit-place.js'

export interface PublishFlags extends CommonFlags {
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly as?: string | undefined
  readonly profile?: string | undefined
  readonly server?: string | undefined
  readonly status?: string | undefined
  readonly statusMessage?: string | undefined
}

/** `pegboard publish list`. */
export const listPublished = async (flags: CommonFlags): Promise<void> => {
  const rows = publishedRows(await lookAtConfig(flags))
  const lines =
    rows.length === 0
      ? say(
          'Nothing is published. Publish a source with: pegboard publish add NAME',
          '没有发布任何内容。发布一个来源：pegboard publish add NAME',
        )
      : table(
          ['NAME', 'SERVER', 'VERSION', 'STATUS', 'HAD AS'],
          rows.map(({ key, publication, problem }) =>
            publication
              ? [key, publication.server.name, publication.server.version, publication.status, waysIn(publication)]
              : [key, '–', '–', say('not listed', '未列出'), problem ? say(problem.en, problem.zh) : ''],
          ),
        )
  print(flags, { published: rows.map(toJson) }, [lines])
}

/** `pegboard publish add NAME`: shown as others will get it, and then written. */
export const publishSource = async (key: string, flags: PublishFlags): Promise<void> => {
  const wish = await wishOf(flags)
  const loaded = await lookAtConfig(flags)
  refuseUnread(key, wish)
  const candidate = withWish(loaded.config, key, wish)
  const row = publishedRows({ config: candidate, references: loaded.references }).find((each) => each.key === key)!
  if (row.problem)
    throw new GatewayError(
      'CONFIG_INVALID',
      say(
        `'${key}' cannot be published: ${row.problem.en} Nothing is written.`,
        `无法发布“${key}”：${row.problem.zh}未写入任何内容。`,
      ),
    )
  await using place = await openPlace(flags)
  await place.edit([{ path: ['publish', 'servers', key], value: wish }])
  await noteEdited(flags, publishDeed('publish', key))
  const { server } = row.publication!
  print(flags, { ...toJson(row), file: place.file, ...place.said }, [
    JSON.stringify(server, null, 2),
    say(
      `Published '${key}' as ${server.name} ${server.version}; a running gateway lists it at /v0.1/servers at once.`,
      `已把“${key}”发布为 ${server.name} ${server.version}；运行中的网关会立即在 /v0.1/servers 列出。`,
    ),
  ])
}

/** `pegboard publish remove NAME`. */
export const unpublish = async (key: string, flags: CommonFlags): Promise<void> => {
  const keys = Object.keys((await lookAtConfig(flags)).config.publish.servers)
  if (!keys.includes(key))
    throw new CommandFailed(
      say(
        `'${key}' is not published${meant(key, keys)} See what is: pegboard publish list`,
        `没有发布“${key}”${meant(key, keys)}查看：pegboard publish list`,
      ),
      exitCodes.notFound,
    )
  await using place = await openPlace(flags)
  await place.edit([{ path: ['publish', 'servers', key], value: undefined }])
  await noteEdited(flags, publishDeed('unpublish', key))
  print(flags, { unpublished: key, file: place.file, ...place.said }, [
    say(`'${key}' is published no longer.`, `不再发布“${key}”。`),
  ])
}

const publishDeed = (action: string, key: string) =>
  ({ kind: 'setting', action, on: { type: 'server', id: key }, outcome: 'ok' }) as const

const wishOf = async (flags: PublishFlags): Promise<Readonly<Record<string, unknown>>> =>
  defined({
    name: flags.name,
    version: flags.version,
    title: flags.title,
    description: flags.description,
    as: flags.as,
    profile: flags.profile,
    status: flags.status,
    statusMessage: flags.statusMessage,
    server: flags.server === undefined ? undefined : await readServer(flags.server),
  })

const mostBytes = 256 * 1024

const readServer = async (file: string): Promise<unknown> => {
  try {
    const text = await readFile(file, 'utf8')
    if (text.length > mostBytes) throw new Error(say(`it is larger than ${mostBytes} bytes`, `超过 ${mostBytes} 字节`))
    // Written into a configuration, where a dollar sign means something.
    return JSON.parse(text, (_, value) => (typeof value === 'string' ? value.replaceAll('$', '$$$$') : value))
  } catch (error) {
    const why = messageOf(error)
    throw new GatewayError(
      'CONFIG_UNREADABLE',
      say(`${file} cannot be read as a server.json: ${why}.`, `无法把 ${file} 读作 server.json：${why}。`),
    )
  }
}

const refuseUnread = (key: string, wish: object): void => {
  const read = publishedServers.safeParse({ [key]: wish })
  if (read.success) return
  const all = read.error.issues.map(({ path, message }) => `${path.slice(1).join('.')} ${message}`.trim()).join('; ')
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      `'${key}' cannot be published so: ${all}. Nothing is written.`,
      `不能这样发布“${key}”：${all}。未写入任何内容。`,
    ),
  )
}

/** The configuration as it would be; what is taken from a file is taken as it will be read. */
const withWish = (config: Config, key: string, wish: object): Config =>
  ({
    ...config,
    publish: { ...config.publish, servers: { ...config.publish.servers, [key]: unescaped(wish) } },
  }) as Config

const unescaped = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? each.replaceAll('$$', '$') : each))

const waysIn = ({ server }: Publication): string => {
  const { packages = [], remotes = [] } = server
  return [
    ...packages.map(({ registryType, identifier }) => `${registryType} ${identifier}`),
    ...remotes.map(({ url }) => url),
  ].join(', ')
}

const toJson = ({ key, publication, problem }: PublishedRow) => ({
  key,
  ...(publication ? { server: publication.server, status: publication.status } : { problem: problem?.en }),
})
