import { configError } from '../../config/problems.js'
import { count, say } from '../../serving/locale.js'
import { type CommonFlags, lookAtConfig } from '../../serving/read-config.js'
import { fileProblems } from '../../serving/sources/file-problems.js'
import { tellDoubt } from '../terminal/doubt.js'
import { hardCodedFix, hardCodedWords } from './hard-coded.js'

/** `pegboard check`: is the configuration valid? Says everything that is wrong with it, at once. */
export const check = async (flags: CommonFlags): Promise<void> => {
  const trust = await tellDoubt(flags)
  // Where more than a source is wrong, the strict reading says all of it.
  const loaded = await lookAtConfig(flags).catch(() => lookAtConfig(flags, 'strict'))
  const { config, file, notes } = loaded
  // Files that somebody else's file names are left alone.
  const problems = [...loaded.problems, ...(trust.state === 'trusted' ? await fileProblems(loaded) : [])]
  if (problems.length > 0) throw configError(problems, file ?? 'the configuration')
  const sources = Object.entries(config.sources).map(([name, { type, namespace, enabled }]) => ({
    name,
    type,
    namespace,
    enabled,
  }))
  if (flags.json) {
    process.stdout.write(
      `${JSON.stringify({ ok: true, file: file ?? null, sources, profiles: Object.keys(config.profiles), notes: notes.map(({ path, message }) => `${path} ${message}`), secrets: loaded.hardCoded(), trust: trust.state }, null, 2)}\n`,
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
}
