import { configError } from '../config/problems.js'
import { type CommonFlags, readConfig } from './flags.js'
import { fileProblems } from './source-files.js'

/** `pegboard check`: is the configuration valid? Says everything that is wrong with it, at once. */
export const check = async (flags: CommonFlags): Promise<void> => {
  // Where more than a source is wrong, the strict reading says all of it.
  const loaded = await readConfig(flags).catch(() => readConfig(flags, 'strict'))
  const { config, file, notes } = loaded
  const problems = [...loaded.problems, ...(await fileProblems(loaded))]
  if (problems.length > 0) throw configError(problems, file ?? 'the configuration')
  const sources = Object.entries(config.sources).map(([name, { type, namespace, enabled }]) => ({
    name,
    type,
    namespace,
    enabled,
  }))
  if (flags.json) {
    process.stdout.write(
      `${JSON.stringify({ ok: true, file: file ?? null, sources, profiles: Object.keys(config.profiles), notes: notes.map(({ path, message }) => `${path} ${message}`) }, null, 2)}\n`,
    )
    return
  }
  for (const { path, message } of notes) process.stderr.write(`note: ${path} ${message}\n`)
  const count = `${sources.length} source${sources.length === 1 ? '' : 's'}`
  process.stdout.write(
    file === undefined
      ? 'No configuration file here; the defaults are valid. Make one: pegboard init\n'
      : `${file}: valid, ${count}.\n`,
  )
}
