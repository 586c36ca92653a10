import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { configFileNames, findConfigFile } from '../../config/find.js'
import type { WrittenConfig } from '../../config/load.js'
import { say } from '../../serving/locale.js'
import { type CommonFlags, lookAtFile, trustOf } from '../../serving/read-config.js'
import { openTrustBook } from '../../serving/trust/book.js'
import { type Trust, untrusted } from '../../serving/trust/vet.js'
import { noteOwn } from '../../serving/typed-deeds.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { confirm, isInteractive, print } from '../terminal/terminal.js'
import { startLines, wouldStart } from '../terminal/would-start.js'

export interface TrustFlags extends CommonFlags {
  readonly yes?: boolean | undefined
  readonly list?: boolean | undefined
  readonly revoke?: boolean | undefined
  readonly remove?: boolean | undefined
}

/** `pegboard trust [FILE]`: shows what a file of the working folder would start, and keeps a yes to exactly that. */
export const trust = async (word: string | undefined, flags: TrustFlags): Promise<void> => {
  if (flags.list) return list(flags)
  const file = await fileOf(word ?? flags.config)
  if (flags.revoke || flags.remove) return revoke(file, flags)
  const loaded = { ...(await lookAtFile({ ...flags, config: file })), foundBy: 'folder' as const }
  const state = await trustOf(loaded, flags)
  if (state.state === 'foreign') throw untrusted(file, state, '')
  const start = wouldStart(loaded.fingerprint())
  const isKnown = state.state === 'trusted'
  if (!flags.json) tell([say(`${file} would start:`, `${file} 会启动：`), ...startLines(start)])
  const isYes = isKnown || (await isAnswered(file, flags))
  if (isYes && !isKnown) await keep(file, loaded, flags)
  print(flags, { file, trusted: isYes, ...start }, [
    '',
    isYes
      ? say(
          `It may run. A change of what is above is asked about again. Take it back with: pegboard trust --revoke ${file}`,
          `可以运行。上述内容有变化时会再次询问。收回同意：pegboard trust --revoke ${file}`,
        )
      : say('Nothing was kept. Say yes with --yes.', '没有保存。加 --yes 表示同意。'),
  ])
  if (!isYes) process.exitCode = exitCodes.auth
}

/**
 * Asks, before a command runs on a terminal, about a file that nobody said yes to. Without a terminal, or without a yes,
 * the command itself refuses: this is the question, not the lock.
 */
export const askFirst = async (flags: CommonFlags): Promise<void> => {
  const { config: named, here } = flags
  if (!isInteractive() || flags.json) return
  const { file, by } = await findConfigFile({ named, cwd: process.cwd(), env: process.env, here })
  if (file === undefined || by !== 'folder') return
  // What is wrong with it is said by the command.
  const loaded = await lookAtFile(flags).catch(() => undefined)
  const state = loaded && (await trustOf(loaded, flags))
  if (!loaded || !state || state.state === 'trusted' || state.state === 'foreign') return
  const only = state.state === 'pending' ? state.sources : undefined
  tell([questionOf(file, state), ...startLines(wouldStart(loaded.fingerprint(), only))])
  if (await confirm(say('Run it?', '运行吗？'))) await keep(file, loaded, flags)
  else await noteOwn(flags, { ...answerOn('trust', file), outcome: 'refused' })
}

const questionOf = (file: string, state: Trust): string => {
  if (state.state === 'pending')
    return say(`New or changed in ${file} since you said yes to it:`, `自你同意之后，${file} 中新增或改变了：`)
  return state.state === 'unknown' && state.because === 'settings'
    ? say(
        `The settings in ${file} have changed since you said yes to it. It would start:`,
        `自你同意之后，${file} 的设置有变化。它会启动：`,
      )
    : say(`${file} was found in this folder. It would start:`, `在当前文件夹中发现 ${file}。它会启动：`)
}

/** Of what was shown, whatever the file is by now. */
const keep = async (file: string, loaded: WrittenConfig, flags: CommonFlags): Promise<void> => {
  const { settings, sources } = loaded.fingerprint()
  await (await openTrustBook(flags)).keep(file, { settings, sources })
  const answered = hash('sha256', JSON.stringify([settings, ...sources])).slice(0, 16)
  await noteOwn(flags, { ...answerOn('trust', file), outcome: 'ok', after: answered })
}

const answerOn = (action: string, file: string) =>
  ({ kind: 'approval', action, on: { type: 'config', id: file } }) as const

const isAnswered = async (file: string, flags: TrustFlags): Promise<boolean> => {
  if (flags.yes) return true
  if (flags.json || !isInteractive()) return false
  const isYes = await confirm(say('\nMay it run?', '\n允许运行吗？'))
  if (!isYes) await noteOwn(flags, { ...answerOn('trust', file), outcome: 'refused' })
  return isYes
}

const list = async (flags: TrustFlags): Promise<void> => {
  const all = await (await openTrustBook(flags)).list()
  const rows = all.map(({ file, at, sources }) => ({ file, at, sources: Object.keys(sources) }))
  if (flags.json || rows.length === 0)
    return print(flags, { files: rows }, [say('No file was said yes to.', '还没有同意过任何文件。')])
  process.stdout.write(
    `${table(
      ['FILE', 'SINCE', 'SOURCES'],
      rows.map(({ file, at, sources }) => [file, at, sources.join(', ')]),
    )}\n`,
  )
}

const revoke = async (file: string, flags: TrustFlags): Promise<void> => {
  if (!(await (await openTrustBook(flags)).forget(file)))
    throw new CommandFailed(
      say(
        `Nobody said yes to ${file}. See them with: pegboard trust --list`,
        `没有同意过 ${file}。查看全部：pegboard trust --list`,
      ),
      exitCodes.notFound,
    )
  await noteOwn(flags, { ...answerOn('revoke', file), outcome: 'ok' })
  print(flags, { file, trusted: false }, [
    say(
      `${file} is not run any more; a running gateway stops its sources.`,
      `不再运行 ${file}；运行中的网关会停止其来源。`,
    ),
  ])
}

/** A file, or the one of a folder; else the one that lies here. */
const fileOf = async (word: string | undefined): Promise<string> => {
  if (word !== undefined) {
    const path = resolve(word)
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory()
    return isFolder ? ((await findConfigFile({ cwd: path, env: {} })).file ?? resolve(path, configFileNames[0])) : path
  }
  const { file } = await findConfigFile({ cwd: process.cwd(), env: {} })
  if (file !== undefined) return file
  throw new CommandFailed(
    say(
      'There is no configuration file in this folder. Name one: pegboard trust FILE',
      '当前文件夹中没有配置文件。请指定：pegboard trust 文件',
    ),
    exitCodes.notFound,
  )
}

const tell = (lines: readonly string[]): void => void process.stdout.write(`${lines.map(oneLine).join('\n')}\n`)
