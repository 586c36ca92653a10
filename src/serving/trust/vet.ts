import { stat } from 'node:fs/promises'
import type { Fingerprint } from '../../config/fingerprint.js'
import type { LoadedConfig, WrittenConfig } from '../../config/load.js'
import type { ConfigNote } from '../../config/problems.js'
import type { Config, SourceConfig } from '../../config/schema.js'
import { GatewayError, isGatewayError } from '../../errors.js'
import { type Stranger, strangerAt, strangerOnPath } from '../../model/who-may-write.js'
import { say } from '../locale.js'
import type { Yes } from './book.js'
import { mendWords, strangerWords } from './stranger-words.js'

/** Whether a configuration may run. */
export type Trust =
  /** Named by a flag, a variable or as the user's own, or answered with yes; or there is no file at all. */
  | { readonly state: 'trusted' }
  /** Parts of it are not what was answered: these sources wait. */
  | { readonly state: 'pending'; readonly sources: readonly string[] }
  /** Nobody was asked, or the settings are not what was answered. */
  | { readonly state: 'unknown'; readonly because: 'new' | 'settings' }
  /** Somebody else may write it, and no answer helps. */
  | { readonly state: 'foreign'; readonly stranger: Stranger }

export interface Answers {
  of(file: string): Promise<Yes | undefined>
}

/** Judges a configuration as it was read; `answers` are opened where they are needed. */
export const judge = async (loaded: WrittenConfig, answers: () => Promise<Answers>): Promise<Trust> => {
  const { file, foundBy } = loaded
  if (file === undefined || foundBy === undefined) return { state: 'trusted' }
  const stranger = await strangerTo(file, foundBy)
  if (stranger) return { state: 'foreign', stranger }
  if (foundBy !== 'folder') return { state: 'trusted' }
  return compare(loaded.fingerprint(), await (await answers()).of(file))
}

/** What its operator may want to know of a file that was named: somebody else may change it. */
export const namedNote = async ({ file, foundBy }: LoadedConfig): Promise<readonly ConfigNote[]> => {
  if (file === undefined || (foundBy !== 'flag' && foundBy !== 'variable')) return []
  const stats = await stat(file).catch(() => undefined)
  const found = stats && strangerAt(file, stats)
  if (!found) return []
  const who =
    found.who === 'owner'
      ? say(`belongs to another user (uid ${found.id})`, `属于另一个用户（uid ${found.id}）`)
      : say(`may be changed by group ${found.id}`, `用户组 ${found.id} 可以修改它`)
  const why = say(
    'it is used, since it was named, and whoever changes it decides what runs',
    '因为是指名使用的，所以照样使用；谁能修改它，谁就决定运行什么',
  )
  return [{ path: file, message: `${who}${say('; ', '；')}${why}` }]
}

/**
 * Who names a file by a flag or a variable has seen to it, and may name one of somebody else's, as containers do; only
 * what anybody may write is refused there too. Everywhere else each way in counts.
 */
const strangerTo = async (file: string, foundBy: LoadedConfig['foundBy']): Promise<Stranger | undefined> => {
  try {
    if (foundBy === 'folder' || foundBy === 'user') return await strangerOnPath(file)
    const found = strangerAt(file, await stat(file))
    return found?.who === 'anybody' ? found : undefined
  } catch {
    // Gone since it was read; who reads it again says so.
    return undefined
  }
}

const compare = (seen: Fingerprint, yes: Yes | undefined): Trust => {
  if (!yes) return { state: 'unknown', because: 'new' }
  if (yes.settings !== seen.settings && !(yes.settings === undefined && isEmpty(seen)))
    return { state: 'unknown', because: yes.settings === undefined ? 'new' : 'settings' }
  const sources = [...seen.sources].flatMap(([name, hash]) => (ownValue(yes.sources, name) === hash ? [] : [name]))
  return sources.length === 0 ? { state: 'trusted' } : { state: 'pending', sources }
}

/** Nothing beside its sources: there is nothing else to say yes to. */
const isEmpty = ({ written }: Fingerprint): boolean => Object.keys(written.settings).length === 0

const ownValue = (record: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The configuration as far as it may run: these sources, which nobody said yes to, keep their places as `pending`. */
export const withPending = (loaded: LoadedConfig, names: readonly string[], command: string): LoadedConfig => {
  const reason = pendingReason(command)
  const sources = Object.entries(loaded.config.sources).map(([name, source]): [string, SourceConfig] =>
    names.includes(name) && source.enabled ? [name, toPending(source, reason)] : [name, source],
  )
  const config: Config = Object.freeze({ ...loaded.config, sources: Object.freeze(Object.fromEntries(sources)) })
  const notes = names.map((name) => ({ path: `sources.${name}`, message: `is pending: ${reason}` }))
  const problems = loaded.problems.filter(({ source }) => !names.includes(source ?? ''))
  return { ...loaded, config, problems, notes: [...loaded.notes, ...notes] }
}

export const pendingReason = (command: string): string =>
  `What it runs or leads to is new or has changed, and nobody has said yes to it. Look at it and say yes: ${command}`

const toPending = (source: SourceConfig, reason: string): SourceConfig => ({
  type: 'misconfigured',
  declaredType: source.type === 'misconfigured' ? source.declaredType : source.type,
  namespace: source.namespace,
  enabled: true,
  tags: [],
  problems: [reason],
  isPending: true,
})

/** The command that says yes to a file, with what names the place of the answers. */
export const trustCommand = (file: string, flags: { readonly dataPath?: string | undefined } = {}): string =>
  ['pegboard trust', word(file), ...(flags.dataPath === undefined ? [] : ['--data-path', word(flags.dataPath)])].join(
    ' ',
  )

// As a shell reads it back; a name that would need more than quotes is shown with them all the same.
const word = (text: string): string => (/^[\w./~:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

export const untrusted = (file: string, trust: Exclude<Trust, { state: 'trusted' | 'pending' }>, command: string) =>
  new GatewayError(
    'CONFIG_UNTRUSTED',
    trust.state === 'foreign' ? foreignWords(file, trust.stranger) : unknownWords(file, trust.because, command),
    { details: { file, reason: trust.state === 'foreign' ? 'foreign' : trust.because } },
  )

/** For a file that a program loaded: what it may run is the program's own word, but nobody else's file takes its place (T3). */
export const refuseForeign = async ({ file, foundBy }: LoadedConfig): Promise<void> => {
  const stranger = file === undefined || foundBy === undefined ? undefined : await strangerTo(file, foundBy)
  if (stranger) throw untrusted(file!, { state: 'foreign', stranger }, '')
}

export const isUntrusted = (error: unknown): boolean => isGatewayError(error) && error.code === 'CONFIG_UNTRUSTED'

const foreignWords = (file: string, stranger: Stranger): string =>
  say(
    `${file} is not used, and nothing of it was started: ${strangerWords(stranger)}. Mend it: ${mendWords(stranger)}. If you know what is in it, name it: --config FILE, which takes all but what any user may change.`,
    `${file} 未被采用，其中的内容都没有启动：${strangerWords(stranger)}。修复：${mendWords(stranger)}。如果你清楚其中的内容，可用 --config 指名使用（任何用户都能修改的文件除外）。`,
  )

const unknownWords = (file: string, because: 'new' | 'settings', command: string): string => {
  const why =
    because === 'new'
      ? say(
          'it lies in the working folder and nobody has said yes to what it would start',
          '它只是位于当前文件夹中，还没有人同意启动其中的内容',
        )
      : say('its settings have changed since somebody said yes to it', '自上次同意之后，它的设置有变化')
  return say(
    `${file} is not used, and nothing of it was started: ${why}. Look at it and say yes: ${command}. Or name another file: --config FILE`,
    `${file} 未被采用，其中的内容都没有启动：${why}。查看并同意：${command}。或用 --config 指定别的文件。`,
  )
}
