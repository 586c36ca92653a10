import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type FoundServers, findClientFiles, readServers } from '../../clients/find.js'
import { clients } from '../../clients/known.js'
import { formatDiff } from '../../clients/line-diff.js'
import { replaceFile, sourceSection } from '../../config/edit.js'
import { formatPath } from '../../config/problems.js'
import { GatewayError } from '../../errors.js'
import { configFileOf } from '../../serving/config-file.js'
import type { PlannedSource } from '../../serving/importing/import-plan.js'
import { type ImportScan, scanImport, toWritten } from '../../serving/importing/import-scan.js'
import { placeOf } from '../../serving/importing/place.js'
import { shownSources } from '../../serving/importing/shown-sources.js'
import { count, say } from '../../serving/locale.js'
import { type CommonFlags, lookAtConfig } from '../../serving/read-config.js'
import { noteEdited, sourceDeed } from '../../serving/typed-deeds.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { confirm, isInteractive, painted, print } from '../terminal/terminal.js'
import { requireClient } from './client-place.js'
import { copiedSecrets } from './hard-coded.js'
import { editAsAsked } from './own-edit.js'

export interface ImportFlags extends CommonFlags {
  readonly home?: string | undefined
  readonly yes?: boolean | undefined
  readonly enable?: boolean | undefined
  readonly dryRun?: boolean | undefined
  /** Says nothing: for `init`, which has words of its own. */
  readonly quiet?: boolean | undefined
  /** As they were typed, where `config` was found and not named: a file that merely lies there names no trail (S1). */
  readonly typed?: CommonFlags | undefined
}

/** `pegboard import [CLIENT or FILE …]`: the servers of other programs as sources of ours. Their files are only read. */
export const importSources = async (words: readonly string[], flags: ImportFlags): Promise<void> => {
  const file = await configFileOf(flags)
  const files = await look(words, flags)
  const scan = await scanImport(file, files)
  const { plan, fresh } = scan
  if (files.length === 0) throw nothingFound(words)
  if (!flags.json && !flags.quiet) process.stdout.write(`${describe(files, scan, file, flags).join('\n')}\n`)
  const isWanted = fresh.length > 0 && (await isConfirmed(flags, fresh.length, file))
  if (isWanted) await write(file, fresh, flags)
  if (flags.quiet) return
  const secrets = isWanted ? await secretsIn(file, fresh, flags) : []
  const report = { file, written: isWanted, enabled: isWanted && flags.enable === true }
  if (flags.json)
    return print(flags, { ...report, secrets, sources: plan.map(toJson), problems: problemsOf(files) }, [])
  process.stdout.write(`${[...nextSteps(fresh, isWanted, flags), ...copiedSecrets(file, secrets)].join('\n')}\n`)
}

const look = async (words: readonly string[], flags: ImportFlags): Promise<readonly FoundServers[]> => {
  const place = placeOf(flags.home)
  if (words.length === 0) return findClientFiles(place)
  const found = await Promise.all(
    words.map(async (word) =>
      /[./\\]/.test(word) ? [await readNamed(word)] : findClientFiles(place, [requireClient(word)]),
    ),
  )
  return found.flat()
}

/** Any file, such as what Cherry Studio exports: whose it is shows in its keys. */
const readNamed = async (word: string): Promise<FoundServers> => {
  const path = resolve(word)
  const own = clients.find((client) => client.files(placeOf(undefined)).some((file) => file.path === path))
  const byName = clients.find(({ format }) => (format === 'toml') === path.endsWith('.toml'))!
  const found = await readServers(own ?? { ...byName, title: 'file', variables: 'shell' }, { path, scope: 'user' })
  if (found) return found
  throw new GatewayError(
    'CONFIG_UNREADABLE',
    say(
      `There is no file ${path}. Check the path, or run: pegboard import`,
      `没有文件 ${path}。检查路径，或运行：pegboard import`,
    ),
  )
}

const isConfirmed = async (flags: ImportFlags, number: number, file: string): Promise<boolean> => {
  if (flags.dryRun) return false
  if (flags.yes || flags.enable) return true
  if (flags.json || !isInteractive()) return false
  return confirm(
    say(
      `\nAdd ${number === 1 ? 'this source' : `these ${number} sources`} to ${file}, switched off?`,
      `\n把这 ${number} 个来源添加到 ${file}（暂不启用）吗？`,
    ),
  )
}

/** All in one step; if the file would then be invalid, it is put back as it was. */
const write = async (file: string, fresh: readonly PlannedSource[], flags: ImportFlags): Promise<void> => {
  const section = await sourceSection(file)
  const edits = fresh.map((source) => ({
    path: [section, source.name],
    value: toWritten(source, flags.enable === true),
  }))
  await editAsAsked(file, edits, flags, async (before) => {
    try {
      await lookAtConfig({ ...flags, config: file })
    } catch (error) {
      // A variable that is not set here may be set where the gateway runs.
      if ((error as { code?: string | undefined }).code === 'VARIABLE_UNSET') return
      if (before) await replaceFile(file, before)
      else await rm(file, { force: true })
      throw error
    }
  })
  const after = flags.enable === true ? 'enabled' : 'disabled'
  await noteEdited(flags.typed ?? flags, ...fresh.map(({ name }) => ({ ...sourceDeed('import', name), after })))
}

/** Those that came with the new sources. */
const secretsIn = async (file: string, fresh: readonly PlannedSource[], flags: ImportFlags) => {
  const loaded = await lookAtConfig({ ...flags, config: file }).catch(() => undefined)
  const section = await sourceSection(file)
  const places = fresh.map(({ name }) => formatPath([section, name]))
  return (loaded?.hardCoded() ?? []).filter(({ path }) =>
    places.some((place) => path.startsWith(`${place}.`) || path.startsWith(`${place}[`)),
  )
}

const describe = (
  files: readonly FoundServers[],
  scan: ImportScan,
  file: string,
  flags: ImportFlags,
): readonly string[] => {
  const diff = scan.diff(flags.enable === true)
  return [
    ...files.map(({ client, file: { path }, servers, problem }) =>
      problem === undefined
        ? `${painted('green', '✓')} ${say(`${client.title}: ${count(servers.length, 'server')} in ${path}`, `${client.title}：${path} 中有 ${servers.length} 个服务器`)}`
        : `${painted('red', '✗')} ${say(`${client.title}: ${problem}`, `${client.title}：无法读取：${problem}`)}`,
    ),
    ...scan.plan.flatMap(remarks).map((line) => `  ${line}`),
    ...(diff.length > 0 ? ['', `${file}:`, painted('green', formatDiff(diff))] : []),
  ]
}

const remarks = ({ name, theirName, from, outcome, notes, cautions }: PlannedSource): readonly string[] => [
  ...(outcome === 'rename'
    ? [
        say(
          `'${theirName}' of ${from[0]} becomes '${name}': the name is taken`,
          `${from[0]} 的“${theirName}”改名为“${name}”：名称已被占用`,
        ),
      ]
    : []),
  ...(outcome === 'present'
    ? [
        say(
          `'${theirName}' of ${from[0]} is already here as '${name}'`,
          `${from[0]} 的“${theirName}”已经在这里，名为“${name}”`,
        ),
      ]
    : []),
  ...(outcome === 'ours'
    ? [
        say(
          `'${theirName}' of ${from[0]} is left out: it is this gateway itself`,
          `略过 ${from[0]} 的“${theirName}”：它就是本网关`,
        ),
      ]
    : []),
  ...(outcome === 'unusable'
    ? [
        say(
          `'${theirName}' of ${from[0]} is left out: ${notes.join('; ')}`,
          `略过 ${from[0]} 的“${theirName}”：${notes.join('；')}`,
        ),
      ]
    : []),
  ...(from.length > 1
    ? [say(`'${name}' is in ${from.length} places; it is added once`, `“${name}”出现在 ${from.length} 处；只添加一次`)]
    : []),
  ...(outcome === 'add' || outcome === 'rename'
    ? notes.map((note) => say(`'${name}': ${note}`, `“${name}”：${note}`))
    : []),
  ...cautions.map((caution) => painted('yellow', say(`! '${name}' ${caution}`, `! 请留意“${name}”：${caution}`))),
]

const nextSteps = (
  fresh: readonly PlannedSource[],
  isWritten: boolean,
  { enable, dryRun }: ImportFlags,
): readonly string[] => {
  if (fresh.length === 0)
    return [
      '',
      say(
        'Nothing to add. See what is here with: pegboard list --sources',
        '没有可添加的。查看现有来源：pegboard list --sources',
      ),
    ]
  if (!isWritten)
    return [
      '',
      dryRun
        ? say('Nothing was written (--dry-run).', '没有写入任何内容（--dry-run）。')
        : say('Nothing was written.', '没有写入任何内容。'),
      say(
        'Add them switched off with --yes, or switched on with --enable.',
        '用 --yes 添加但不启用，或用 --enable 添加并启用。',
      ),
    ]
  const names = fresh.map(({ name }) => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name))).join(' ')
  return [
    '',
    say(
      `Added ${count(fresh.length, 'source')}${enable ? '' : ', switched off'}.`,
      `已添加 ${fresh.length} 个来源${enable ? '' : '（未启用）'}。`,
    ),
    ...(enable ? [] : [say(`Switch them on with: pegboard enable ${names}`, `启用：pegboard enable ${names}`)]),
    say('Then check them with: pegboard doctor', '然后检查：pegboard doctor'),
  ]
}

const toJson = ({ entry, name, ...rest }: PlannedSource) => ({
  name,
  ...rest,
  entry: shownSources([[name, entry]])[name],
})

const problemsOf = (files: readonly FoundServers[]): readonly string[] =>
  files.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))

const nothingFound = (words: readonly string[]): CommandFailed =>
  new CommandFailed(
    words.length > 0
      ? say(
          `No configuration of ${words.join(', ')} was found. Name its file instead: pegboard import path/to/file.json`,
          `没有找到 ${words.join('、')} 的配置。请直接指定文件：pegboard import path/to/file.json`,
        )
      : say(
          'No configuration of a client was found. Name a file: pegboard import path/to/file.json',
          '没有找到任何客户端的配置。请指定文件：pegboard import path/to/file.json',
        ),
    exitCodes.notFound,
  )
