import { nearest } from '../../config/nearest.js'
import { pinnedBy } from '../../config/pinning/pinned-by.js'
import type { SourceConfig } from '../../config/schema.js'
import { maskUrl } from '../../config/secrets.js'
import { GatewayError } from '../../errors.js'
import { defined } from '../../model/json.js'
import { isServerName } from '../../registries/server-json.js'
import { say } from '../../serving/locale.js'
import type { CommonFlags } from '../../serving/read-config.js'
import { noteEdited, sourceDeed } from '../../serving/typed-deeds.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { pinningHere } from '../terminal/pin-words.js'
import { print } from '../terminal/terminal.js'
import type { BundleFlags } from './bundle-install.js'
import { openPlace } from './edit-place.js'
import { firstLook, firstLookLines } from './first-look.js'
import type { RegistryAddFlags } from './registry-add.js'
import { refuseTaken } from './taken.js'

export interface AddFlags extends RegistryAddFlags, BundleFlags {
  readonly cwd?: string | undefined
  readonly namespace?: string | undefined
  readonly type?: string | undefined
  readonly baseUrl?: string | undefined
}

/**
 * `pegboard add NAME -- command args…` or `pegboard add NAME URL`: a source in the configuration, shown as it will run. A name
 * with a slash and nothing behind it is one of a registry.
 */
export const add = async (name: string, rest: readonly string[], flags: AddFlags): Promise<void> => {
  const bundle = rest.length === 0 ? name : rest.length === 1 ? rest[0]! : ''
  if (isBundleFile(bundle)) {
    const { install } = await import('./bundle-install.js')
    return install(bundle, { ...flags, name: rest.length === 0 ? undefined : name })
  }
  if (rest.length === 0 && isServerName(name.split('@')[0]!))
    return (await import('./registry-add.js')).addFromRegistry(name, flags)
  if (rest.length === 0)
    throw new CommandFailed(
      say(
        `Say what '${name}' is: a URL, or a command after --, as in: pegboard add ${name} -- npx -y some-server. A server of a registry has a slash in its name: pegboard registry search ${name}`,
        `请说明“${name}”是什么：URL，或 -- 后的命令，例如：pegboard add ${name} -- npx -y some-server。注册表中的服务器名称带有斜杠：pegboard registry search ${name}`,
      ),
      exitCodes.failed,
    )
  await using place = await openPlace(flags)
  refuseTaken(name, await place.sources())
  const source = describeSource(rest, flags)
  await place.edit([{ path: [await place.section(), name], value: source }], name)
  await noteEdited(flags, sourceDeed('add', name))
  const { file, to } = place
  const added = (await place.look()).sources[name]
  const isTried = !flags.disabled && (flags.try ?? (process.stdout.isTTY === true && !flags.json))
  const look = isTried ? await firstLook(name, { ...flags, config: file }) : undefined
  print(flags, { added: name, file, ...place.said, source, pinned: added && pinnedBy(added), first: look }, [
    say(`Added '${name}' to ${to}.`, `已把“${name}”添加到 ${to}。`),
    shown(source),
    ...(added ? [say(`It is ${pinningHere(added)}.`, `它是${pinningHere(added)}。`)] : []),
    ...(look
      ? firstLookLines(name, look)
      : [say('See it with: pegboard list --sources', '查看：pegboard list --sources')]),
  ])
}

/** `pegboard remove NAME …`. */
export const remove = async (names: readonly string[], flags: CommonFlags): Promise<void> => {
  await using place = await openPlace(flags)
  requireKnown(names, await place.sources())
  const edits = names.map(async (name) => ({ path: [await place.section(name), name], value: undefined }))
  const before = (await place.look()).sources
  await place.edit(await Promise.all(edits))
  const fromRegistry = names.filter((name) => isFromRegistry(before[name]))
  if (fromRegistry.length > 0) await (await import('./registry-add.js')).forgetSecrets(fromRegistry, flags)
  await noteEdited(flags, ...names.map((name) => sourceDeed('remove', name)))
  const { file, to } = place
  print(flags, { removed: oneOrAll(names), file, ...place.said }, [
    say(`Removed ${quoted(names)} from ${to}.`, `已从 ${to} 移除 ${quoted(names)}。`),
  ])
}

/** `pegboard enable NAME …` and `pegboard disable NAME …`. */
export const setEnabled = async (names: readonly string[], enabled: boolean, flags: CommonFlags): Promise<void> => {
  await using place = await openPlace(flags)
  requireKnown(names, await place.sources())
  const edits = names.map(async (name) => ({ path: [await place.section(name), name, 'enabled'], value: enabled }))
  await place.edit(await Promise.all(edits))
  await noteEdited(flags, ...names.map((name) => sourceDeed(enabled ? 'enable' : 'disable', name)))
  const word = enabled ? 'enabled' : 'disabled'
  print(flags, { [word]: oneOrAll(names), file: place.file, ...place.said }, [
    say(
      `${quoted(names)} ${names.length === 1 ? 'is' : 'are'} ${word}.`,
      `${quoted(names)} ${enabled ? '已启用' : '已停用'}。`,
    ),
  ])
}

const isFromRegistry = (source: SourceConfig | undefined): boolean =>
  source !== undefined && 'registry' in source && source.registry !== undefined

const oneOrAll = (names: readonly string[]): string | readonly string[] => (names.length === 1 ? names[0]! : names)
const quoted = (names: readonly string[]): string =>
  names.map((name) => say(`'${name}'`, `“${name}”`)).join(say(', ', '、'))

const describeSource = (rest: readonly string[], flags: AddFlags): Record<string, unknown> => {
  const [first, ...args] = rest as [string, ...string[]]
  const common = defined({
    namespace: flags.namespace,
    enabled: flags.disabled ? false : undefined,
  })
  if (rest.length === 1 && (flags.type === 'openapi' || (flags.type === undefined && looksLikeSpec(first))))
    return defined({
      type: 'openapi',
      spec: first,
      baseUrl: flags.baseUrl,
      ...pairs('headers', flags.header, ':'),
      ...common,
    })
  if (rest.length === 1 && flags.type === 'scripts') return defined({ type: 'scripts', folder: first, ...common })
  const isUrl = rest.length === 1 && /^(?:https?|wss?):\/\//i.test(first)
  if (isUrl) {
    const type = flags.type ?? (/^ws/i.test(first) ? 'websocket' : /\/sse\/?$/.test(first) ? 'sse' : 'http')
    return { type, url: first, ...pairs('headers', flags.header, ':'), ...common }
  }
  if (rest.length === 1 && /^[a-z][a-z0-9+.-]*:\/\//i.test(first))
    throw new GatewayError(
      'CONFIG_INVALID',
      say(
        `'${first.split(':')[0]}' addresses cannot be sources; use http, https, ws or wss.`,
        `“${first.split(':')[0]}”地址不能作为来源；请用 http、https、ws 或 wss。`,
      ),
    )
  return defined({
    type: 'stdio',
    command: first,
    args: args.length > 0 ? args : undefined,
    ...pairs('env', flags.env, '='),
    cwd: flags.cwd,
    ...common,
  })
}

/** `.dxt` is what they were called first. */
const isBundleFile = (text: string): boolean => /\.(?:mcpb|dxt)(?:[?#]|$)/i.test(text)

/** A document by its name: nobody starts a YAML file, and MCP endpoints do not end in `.json`. */
const looksLikeSpec = (text: string): boolean => /\.(?:ya?ml|json)(?:[?#]|$)/i.test(text)

const pairs = (key: string, given: readonly string[] | undefined, separator: string): Record<string, unknown> => {
  if (!given || given.length === 0) return {}
  const entries = given.map((pair) => {
    const at = pair.indexOf(separator)
    if (at < 1)
      throw new GatewayError(
        'CONFIG_INVALID',
        say(
          `'${pair.split(separator)[0]}' needs a value: write NAME${separator}VALUE.`,
          `“${pair.split(separator)[0]}”需要一个值：写成 NAME${separator}VALUE。`,
        ),
      )
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  })
  return { [key]: Object.fromEntries(entries) }
}

export const requireKnown = (asked: readonly string[], names: readonly string[]): void => {
  const missing = asked.find((name) => !names.includes(name))
  if (missing === undefined) return
  const choices =
    names.length > 0
      ? say(`The sources are: ${names.join(', ')}.`, `现有来源：${names.join('、')}。`)
      : say('There are no sources yet: pegboard add NAME -- command', '还没有来源：pegboard add NAME -- command')
  const guess = nearest(missing, names)
  const hint = guess === undefined ? '' : say(` Did you mean '${guess}'?`, `是不是“${guess}”？`)
  throw new GatewayError(
    'SOURCE_NOT_FOUND',
    say(`There is no source named '${missing}'.${hint} ${choices}`, `没有名为“${missing}”的来源。${hint}${choices}`),
  )
}

const shown = (source: Record<string, unknown>): string =>
  source.type === 'stdio'
    ? say(`It runs: ${wordsOf(source)}, without a shell.`, `它运行：${wordsOf(source)}，不经过 shell。`)
    : source.type === 'openapi'
      ? say(
          `It calls the operations of ${maskUrl(String(source.spec))}.`,
          `它调用 ${maskUrl(String(source.spec))} 中的操作。`,
        )
      : source.type === 'scripts'
        ? say(`Each script of ${source.folder} is a tool.`, `${source.folder} 中的每个脚本都是一个工具。`)
        : say(
            `It connects to ${new URL(String(source.url)).origin}.`,
            `它连接到 ${new URL(String(source.url)).origin}。`,
          )

const wordsOf = ({ command, args }: Record<string, unknown>): string =>
  JSON.stringify([command, ...((args as string[] | undefined) ?? [])])
