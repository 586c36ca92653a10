import { type CommonFlags, readConfig } from './flags.js'

/** `pegboard check`: is the configuration valid? Says everything that is wrong with it, at once. */
export const check = async (flags: CommonFlags): Promise<void> => {
  const { config, file, notes } = await readConfig(flags)
  const sources = Object.entries(config.sources).map(([name, { type, namespace, enabled }]) => ({
    name,
    type,
    namespace,
    enabled,
  }))
  if (flags.json) {
    process.stdout.write(
      `${JSON.stringify({ ok: true, file: file ?? null, sources, profiles: Object.keys(config.profiles), notes: notes.map(({ message }) => message) }, null, 2)}\n`,
    )
    return
  }
  for (const { message } of notes) process.stderr.write(`note: ${message}\n`)
  const where = file ?? 'No configuration file; the defaults'
  process.stdout.write(`${where}: valid, ${sources.length} source${sources.length === 1 ? '' : 's'}.\n`)
}
