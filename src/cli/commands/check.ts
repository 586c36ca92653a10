import { overrideNotes } from '../../config/check-overrides.js'
import type { LoadedConfig } from '../../config/load.js'
import { configError } from '../../config/problems.js'
import type { IssuerCheck } from '../../serving/issuer-check.js'
import { count, say } from '../../serving/locale.js'
import { type CommonFlags, lookAtConfig } from '../../serving/read-config.js'
import { fileProblems } from '../../serving/sources/file-problems.js'
import { tellDoubt } from '../terminal/doubt.js'
import { hardCodedFix, hardCodedWords } from './hard-coded.js'

export interface CheckFlags extends CommonFlags {
  /** Asks the issuers that the file names, too. Default: nobody is asked anything. */
  readonly online?: boolean | undefined
}

/** `pegboard check`: is the configuration valid? Says everything that is wrong with it, at once. */
export const check = async (flags: CheckFlags): Promise<void> => {
  const trust = await tellDoubt(flags)
  // Where more than a source is wrong, the strict reading says all of it.
  const loaded = await lookAtConfig(flags).catch(() => lookAtConfig(flags, 'strict'))
  const { config, file } = loaded
  const notes = [...loaded.notes, ...overrideNotes(config)]
  // Files that somebody else's file names are left alone.
  const problems = [...loaded.problems, ...(trust.state === 'trusted' ? await fileProblems(loaded) : [])]
  if (problems.length > 0) throw configError(problems, file ?? 'the configuration')
  const issuers = flags.online && trust.state === 'trusted' ? await onlineCheck(loaded) : undefined
  const sources = Object.entries(config.sources).map(([name, { type, namespace, enabled }]) => ({
    name,
    type,
    namespace,
    enabled,
  }))
  if (flags.json) {
    process.stdout.write(
      `${JSON.stringify({ ok: true, file: file ?? null, sources, profiles: Object.keys(config.profiles), notes: notes.map(({ path, message }) => `${path} ${message}`), secrets: loaded.hardCoded(), trust: trust.state, issuers: issuers?.map(({ issuer }) => issuer) }, null, 2)}\n`,
    )
    return
  }
  for (const { path, message } of notes) process.stderr.write(`${say('note:', '注意：')} ${path} ${message}\n`)
  for (const secret of loaded.hardCoded())
    process.stderr.write(`${say('warning:', '警告：')} ${hardCodedWords(secret)} ${hardCodedFix(secret)}\n`)
  process.stdout.write(
    file === undefined
      ? say(
          'No configuration file here; the defaults are valid. Make one: pegboard init\n',
          '这里没有配置文件；默认配置有效。创建一个：pegboard init\n',
        )
      : say(`${file}: valid, ${count(sources.length, 'source')}.\n`, `${file}：有效，${sources.length} 个来源。\n`),
  )
  for (const { issuer, takesSecret } of issuers ?? [])
    process.stdout.write(
      takesSecret
        ? say(
            `${issuer}: answers, its clock agrees, and it takes our secret.\n`,
            `${issuer}：可用，时钟一致，并接受我们的密钥。\n`,
          )
        : say(`${issuer}: answers, and its clock agrees.\n`, `${issuer}：可用，时钟一致。\n`),
    )
  if (flags.online && !issuers)
    process.stderr.write(
      say(
        'warning: the issuers were not asked: the file is not trusted yet, see above.\n',
        '警告：没有询问签发者：该文件尚未获得同意，见上。\n',
      ),
    )
  if (issuers?.length === 0)
    process.stdout.write(
      say(
        'It names no issuers (auth.people, auth.tokens): nobody was asked.\n',
        '其中没有签发者（auth.people、auth.tokens）：没有询问任何人。\n',
      ),
    )
}

/** Only what the operator trusts is asked: the addresses are the file's. Throws with everything that is wrong. */
const onlineCheck = async ({ config, file, report }: LoadedConfig): Promise<readonly IssuerCheck[]> => {
  const { checkIssuers } = await import('../../serving/issuer-check.js')
  const checks = await checkIssuers(config)
  const problems = checks.flatMap(({ path, issuer, problem }) =>
    problem === undefined ? [] : [report(path, `'${issuer}' ${problem}`)],
  )
  if (problems.length > 0) throw configError(problems, file ?? 'the configuration')
  return checks
}
