import type { LoadedConfig } from '../../config/load.js'
import { type ConfigProblem, formatProblem } from '../../config/problems.js'
import { isGatewayError, messageOf } from '../../errors.js'
import { type CommonFlags, readConfig } from '../flags.js'
import { fileProblems } from '../source-files.js'
import { type Finding, fail, off, ok, warn } from './finding.js'

export interface ConfigCheck {
  readonly findings: readonly Finding[]
  /** Undefined when it cannot be used; then there is nothing to start. */
  readonly loaded: LoadedConfig | undefined
  /** The sources whose problems are among the findings. */
  readonly told: ReadonlySet<string | undefined>
}

/** Is the configuration valid? Every problem with its line. */
export const checkConfig = async (flags: CommonFlags): Promise<ConfigCheck> => {
  try {
    // Not strict: a source that needs something must not hide what else there is to say.
    const loaded = await readConfig(flags)
    const problems = [...loaded.problems, ...(await fileProblems(loaded))]
    const findings = [summary(loaded, problems), ...problems.map(problemOf), ...loaded.notes.map(noteOf)]
    return { loaded, findings, told: new Set(problems.map(({ source }) => source)) }
  } catch (error) {
    return { loaded: undefined, findings: problemsOf(error), told: new Set() }
  }
}

const summary = ({ file, config }: LoadedConfig, problems: readonly ConfigProblem[]): Finding => {
  if (file === undefined)
    return off('config', 'No configuration file: the example tools are served. Make one: pegboard init')
  const number = Object.keys(config.sources).length
  const sources = `${number} source${number === 1 ? '' : 's'}`
  const broken = new Set(problems.map(({ source }) => source)).size
  return broken === 0
    ? ok('config', `${file} is valid: ${sources}`)
    : off('config', `${file}: ${sources}, ${broken} of them set aside`)
}

const noteOf = ({ path, message }: LoadedConfig['notes'][number]): Finding =>
  message.startsWith('is ignored')
    ? off('config', `${path} ${message}`)
    : warn('config', `${path} ${message}`, 'Change it in the file if this is not what you mean.')

const problemsOf = (error: unknown): readonly Finding[] => {
  const problems = isGatewayError(error) ? (error.details?.problems as readonly ConfigProblem[] | undefined) : undefined
  return (
    problems?.map(problemOf) ?? [
      fail('config', messageOf(error), 'Name another file with --config, or make one: pegboard init'),
    ]
  )
}

const problemOf = (problem: ConfigProblem): Finding => {
  const variable = /environment variable (\w+) is not set/.exec(problem.message)?.[1]
  const fix =
    variable === undefined
      ? 'Change that line; pegboard check says whether it helped.'
      : `export ${variable}=…, or write \${${variable}:-default} in the file.`
  return fail('config', formatProblem(problem), fix)
}
