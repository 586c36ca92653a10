import { mkdir, realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ClientProgram } from '../../clients/client.js'
import { type DiffLine, formatDiff, lineDiff } from '../../clients/line-diff.js'
import { ourEntry, type Reach } from '../../clients/our-entry.js'
import { readClientFile } from '../../clients/read-file.js'
import { withEntry } from '../../clients/write-entry.js'
import { replaceFile } from '../../config/edit.js'
import { firstFile } from '../../config/find.js'
import type { LoadedConfig } from '../../config/load.js'
import { GatewayError } from '../../errors.js'
import { placeOf } from '../../serving/importing/place.js'
import { say } from '../../serving/locale.js'
import { addressForClients, keyVariableOf, launchOf } from '../../serving/our-launch.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { noteEdited, type TypedDeed } from '../../serving/typed-deeds.js'
import { confirm, isInteractive, painted, print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'
import { type Backup, type BackupShelf, hashOf, openBackups } from './client-backup.js'
import { afterwards, requireClient } from './client-place.js'
import { disconnect } from './disconnect.js'
import { makeTemplate } from './own-edit.js'

export interface ConnectFlags extends CommonFlags {
  readonly home?: string | undefined
  readonly file?: string | undefined
  readonly name?: string | undefined
  readonly profile?: string | undefined
  readonly http?: boolean | undefined
  readonly project?: boolean | undefined
  readonly dryRun?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly undo?: boolean | undefined
  /** Says nothing: for `init`, which has words of its own. */
  readonly quiet?: boolean | undefined
  /** As they were typed, where `config` was found and not named: a file that merely lies there names no trail (S1). */
  readonly typed?: CommonFlags | undefined
}

const defaultName = 'pegboard'

/** `pegboard connect CLIENT`: our entry in a client's configuration, with a way back. */
export const connect = async (word: string, flags: ConnectFlags): Promise<void> => {
  const client = requireClient(word)
  const loaded = await readConfig(flags)
  const file = await fileOf(client, flags)
  const backups = openBackups(loaded.dataFolder)
  if (flags.undo) {
    await disconnect(client, file, backups, flags)
    return noteEdited(flags.typed ?? flags, clientDeed('disconnect', client))
  }
  const name = flags.name ?? defaultName
  // A client starts us in a folder of its own choice: without a file that it names, the user's own it is.
  const config = loaded.file ?? firstFile({ cwd: process.cwd(), env: process.env, here: false })
  const entry = ourEntry(client, reachOf({ ...loaded, file: config }, flags))
  const before = await readClientFile(file)
  const text = textOf(before, file)
  const after = await withEntry(text, { client, file, name, entry })
  if (after === text) {
    if (flags.quiet) return
    return print(flags, { client: client.id, file, changed: false }, [
      say(`${file} has it already.`, `${file} 里已经有了。`),
    ])
  }
  const diff = lineDiff(text, after).map(maskedBut(entry))
  if (!flags.json && !flags.quiet) process.stdout.write(`${file}:\n${painted('green', formatDiff(diff))}\n`)
  const isWanted = await isConfirmed(flags, client)
  if (isWanted && loaded.file === undefined && !flags.http) await makeTemplate(config, flags)
  if (isWanted) await write(file, before, after, { client, name, backups })
  if (isWanted) await noteEdited(flags.typed ?? flags, clientDeed('connect', client))
  if (flags.quiet) return
  print(flags, { client: client.id, file, name, changed: isWanted, entry }, [
    '',
    ...(isWanted
      ? [
          say(
            `${client.title} now has '${name}'. ${afterwards(client)}`,
            `${client.title} 现在有“${name}”了。${afterwards(client)}`,
          ),
          ...(loaded.file === undefined && !flags.http
            ? [say(`Its sources go into ${config}, which was made.`, `它的来源写在新建的 ${config} 中。`)]
            : []),
          say(`Take it back with: ${undoCommand(client, flags)}`, `撤销：${undoCommand(client, flags)}`),
        ]
      : [say('Nothing was written. Write it with --yes.', '没有写入任何内容。加 --yes 写入。')]),
  ])
}

const clientDeed = (action: string, { id }: ClientProgram): TypedDeed => ({
  ...{ kind: 'setting', action, on: { type: 'client', id }, outcome: 'ok' },
})

/** How clients reach us, from the flags of `connect` and `export`. */
export const reachOf = (
  { config, file }: Pick<LoadedConfig, 'config' | 'file'>,
  flags: Pick<ConnectFlags, 'http' | 'profile'>,
): Reach => {
  const { profile } = flags
  if (profile !== undefined && !Object.hasOwn(config.profiles, profile)) throw noProfile(profile, config.profiles)
  if (!flags.http) {
    const args = [
      'stdio',
      ...(file === undefined ? [] : ['--config', file]),
      ...(profile === undefined ? [] : ['--profile', profile]),
    ]
    return launchOf(args)
  }
  const { path } = config.server
  const tokenVariable = keyVariableOf(config)
  const url = `${addressForClients(config)}${path}${profile === undefined ? '' : `/${encodeURIComponent(profile)}`}`
  return { via: 'http', url, tokenVariable }
}

const noProfile = (profile: string, profiles: object): GatewayError =>
  new GatewayError(
    'CONFIG_INVALID',
    say(
      `There is no profile '${profile}'${meant(profile, Object.keys(profiles))} See them with: pegboard profile list`,
      `没有配置档“${profile}”${meant(profile, Object.keys(profiles))}查看全部：pegboard profile list`,
    ),
  )

const fileOf = async (client: ClientProgram, flags: ConnectFlags): Promise<string> => {
  if (flags.file !== undefined) return real(resolve(flags.file))
  const files = client.files(placeOf(flags.home))
  const found = files.find(({ scope }) => scope === (flags.project ? 'project' : 'user')) ?? files[0]
  if (found) return real(found.path)
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `${client.title} has no file to write to. Print what to paste instead: pegboard export ${client.id}`,
      `${client.title} 没有可写入的文件。改为打印要粘贴的内容：pegboard export ${client.id}`,
    ),
  )
}

// People keep these files in a repository and link to them; a link must stay a link.
const real = (file: string): Promise<string> => realpath(file).catch(() => file)

const isConfirmed = async (flags: ConnectFlags, client: ClientProgram): Promise<boolean> => {
  if (flags.dryRun) return false
  if (flags.yes) return true
  if (flags.json || !isInteractive()) return false
  return confirm(say(`\nWrite this into the configuration of ${client.title}?`, `\n写入 ${client.title} 的配置吗？`))
}

interface WriteOptions {
  readonly client: ClientProgram
  readonly name: string
  readonly backups: BackupShelf
}

const write = async (file: string, before: Buffer | undefined, after: string, options: WriteOptions): Promise<void> => {
  const { client, name, backups } = options
  const bytes = Buffer.from(after, 'utf8')
  // Some clients write to their file all the time; what they wrote since we read it must not be lost.
  const now = await readClientFile(file)
  if (now === undefined ? before !== undefined : !before?.equals(now))
    throw new GatewayError(
      'CONFIG_INVALID',
      say(
        `${file} was changed just now by somebody else; nothing was written. Try again.`,
        `${file} 刚刚被别的程序修改过；没有写入任何内容，请重试。`,
      ),
    )
  const earlier = await backups.read(file)
  await backups.write(file, {
    before: await baseOf(file, before, earlier, client),
    after: hashOf(bytes),
    entryName: name,
  })
  await mkdir(dirname(file), { recursive: true })
  await replaceFile(file, bytes)
}

/** What `--undo` goes back to: the file as it was before we first came, whatever we changed since. */
const baseOf = async (
  file: string,
  now: Buffer | undefined,
  earlier: Backup | undefined,
  client: ClientProgram,
): Promise<Buffer | undefined> => {
  if (!earlier || now === undefined) return now
  if (hashOf(now) === earlier.after) return earlier.before
  const change = { client, file, name: earlier.entryName, entry: undefined }
  return Buffer.from(await withEntry(now.toString('utf8'), change), 'utf8')
}

/**
 * What stands around our entry belongs to others' servers and may hold their secrets (T23), in a file without line breaks
 * even on the same line: of everything but our own values only the keys are shown.
 */
const maskedBut = (entry: Readonly<Record<string, unknown>>) => {
  const ours = new Set(JSON.stringify(entry).match(literal))
  const mask = (text: string): string =>
    text.replace(/("(?:[^"\\]|\\.)*"|'[^']*')(\s*:)?/g, (whole, value: string, colon: string | undefined) =>
      colon !== undefined || ours.has(value) ? whole : '"…"',
    )
  return ({ sign, text }: DiffLine): DiffLine => ({ sign, text: mask(text) })
}

const literal = /"(?:[^"\\]|\\.)*"/g

/** Bytes that are no text would not survive being read and written. */
const textOf = (bytes: Buffer | undefined, file: string): string => {
  const text = bytes?.toString('utf8') ?? ''
  if (bytes === undefined || Buffer.from(text, 'utf8').equals(bytes)) return text
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      `${file} is not in UTF-8; it was not changed. Save it as UTF-8 first.`,
      `${file} 不是 UTF-8 编码，没有改动。请先保存为 UTF-8。`,
    ),
    { details: { file } },
  )
}

const undoCommand = (client: ClientProgram, { file }: ConnectFlags): string =>
  `pegboard connect ${client.id}${file === undefined ? '' : ` --file ${file}`} --undo`
