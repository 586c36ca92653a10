import { type LoadedConfig, loadConfig } from '../../config/load.js'
import type { ConfigProblem } from '../../config/problems.js'
import { isGatewayError, messageOf } from '../../errors.js'
import type { CommonFlags } from '../flags.js'
import { type Finding, fail, off, ok, warn } from './finding.js'

export interface ConfigCheck {
  readonly findings: readonly Finding[]
  /** Undefined when it cannot be used; then there is nothing to start. */
  readonly loaded: LoadedConfig | undefined
}

/** Is the configuration valid? Every problem with its line. */
export const checkConfig = async (flags: CommonFlags): Promise<ConfigCheck> => {
  try {
    // Not strict: an unset variable must not hide what else there is to say.
    const loaded = await loadConfig({ file: flags.config, cwd: process.cwd(), env: process.env, flags, strict: false })
    return { loaded, findings: [summary(loaded), ...loaded.notes.map(noteOf)] }
  } catch (error) {
    return { loaded: undefined, findings: problemsOf(error) }
  }
}

const summary = ({ file, config }: LoadedConfig): Finding => {
  if (file === undefined)
    return off('config', 'No configuration file: the example tools are served. Make one: pegboard init')
  const number = Object.keys(config.sources).length
  return ok('config', `${file} is valid: ${number} source${number === 1 ? '' : 's'}`)
}

const noteOf = ({ path, message }: LoadedConfig['notes'][number]): Finding => {
  const variable = /environment variable (\w+) is not set/.exec(message)?.[1]
  if (variable !== undefined)
    return fail('config', `${path} ${message}`, `export ${variable}=…, or write \${${variable}:-default} in the file.`)
  return message.startsWith('is ignored')
    ? off('config', `${path} ${message}`)
    : warn('config', `${path} ${message}`, 'Change it in the file if this is not what you mean.')
}

const problemsOf = (error: unknown): readonly Finding[] => {
  const problems = isGatewayError(error) ? (error.details?.problems as readonly ConfigProblem[] | undefined) : undefined
  if (!problems)
    return [fail('config', messageOf(error), 'Name another file with --config, or make one: pegboard init')]
  return problems.map(({ where, path, message }) =>
    fail(
      'config',
      `${where === path ? path : `${where} ${path}`}: ${message}`,
      'Change that line; pegboard config check says whether it helped.',
    ),
  )
}
