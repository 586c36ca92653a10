import type { HardCodedSecret } from '../../../config/hard-coded.js'
import type { LoadedConfig } from '../../../config/load.js'
import { type ConfigProblem, formatProblem } from '../../../config/problems.js'
import { isGatewayError } from '../../../errors.js'
import { reasonZh } from '../../../faces/reason-words.js'
import { toldHere } from '../../../serving/error-words.js'
import { count, say } from '../../../serving/locale.js'
import { type CommonFlags, lookAtFile, readConfig, trustOf } from '../../../serving/read-config.js'
import { fileProblems } from '../../../serving/sources/file-problems.js'
import { trustCommand } from '../../../serving/trust/vet.js'
import { doubtOf } from '../../terminal/doubt.js'
import { hardCodedFix, hardCodedWords } from '../hard-coded.js'
import { type Diagnosis, fail, off, ok, warn } from './diagnosis.js'

export interface ConfigCheck {
  readonly findings: readonly Diagnosis[]
  /** Undefined when it cannot be used; then there is nothing to start. */
  readonly loaded: LoadedConfig | undefined
  /** The sources whose problems are among the findings. */
  readonly told: ReadonlySet<string | undefined>
}

/** Is the configuration valid? Every problem with its line. */
export const checkConfig = async (flags: CommonFlags): Promise<ConfigCheck> => {
  try {
    // Not strict: a source that needs something must not hide what else there is to say.
    const written = await lookAtFile(flags)
    const trust = await trustOf(written, flags)
    const doubt = doubtOf(written, trust, flags)
    const command = trustCommand(written.file ?? '', flags)
    // Nothing of it may be started, asked or opened, so there is nothing else to check.
    if (doubt !== undefined && trust.state !== 'pending')
      return { loaded: undefined, findings: [fail('config', doubt, command)], told: new Set() }
    const loaded = await readConfig(flags)
    const problems = [...loaded.problems, ...(await fileProblems(loaded))]
    const findings = [
      summary(loaded, problems),
      ...problems.map(problemOf),
      ...loaded.notes.map(noteOf),
      ...loaded.hardCoded().map(secretOf),
    ]
    return { loaded, findings, told: new Set(problems.map(({ source }) => source)) }
  } catch (error) {
    return { loaded: undefined, findings: problemsOf(error), told: new Set() }
  }
}

const summary = ({ file, config }: LoadedConfig, problems: readonly ConfigProblem[]): Diagnosis => {
  if (file === undefined)
    return off(
      'config',
      say(
        'No configuration file: the example tools are served. Make one: pegboard init',
        '没有配置文件：提供的是示例工具。创建一个：pegboard init',
      ),
    )
  const number = Object.keys(config.sources).length
  const broken = new Set(problems.map(({ source }) => source)).size
  return broken === 0
    ? ok('config', say(`${file} is valid: ${count(number, 'source')}`, `${file} 有效：${number} 个来源`))
    : off(
        'config',
        say(
          `${file}: ${count(number, 'source')}, ${broken} of them in need of configuration`,
          `${file}：${number} 个来源，其中 ${broken} 个需要配置`,
        ),
      )
}

const noteOf = ({ path, message }: LoadedConfig['notes'][number]): Diagnosis =>
  message.startsWith('is ignored')
    ? off('config', say(`${path} ${message}`, `${path}：已忽略（${message}）`))
    : warn(
        'config',
        say(`${path} ${message}`, `${path}：请留意（${message}）`),
        say('Change it in the file if this is not what you mean.', '如果不是你的本意，请在文件中修改。'),
      )

const secretOf = (secret: HardCodedSecret): Diagnosis => warn('config', hardCodedWords(secret), hardCodedFix(secret))

const problemsOf = (error: unknown): readonly Diagnosis[] => {
  const problems = isGatewayError(error) ? (error.details?.problems as readonly ConfigProblem[] | undefined) : undefined
  return (
    problems?.map(problemOf) ?? [
      fail(
        'config',
        toldHere(error),
        say(
          'Name another file with --config, or make one: pegboard init',
          '用 --config 指定另一个文件，或创建一个：pegboard init',
        ),
      ),
    ]
  )
}

const problemOf = (problem: ConfigProblem): Diagnosis => {
  const variable = /environment variable (\w+) is not set/.exec(problem.message)?.[1]
  const fix =
    variable === undefined
      ? say('Change that line; pegboard check says whether it helped.', '修改该行；用 pegboard check 再检查。')
      : say(
          `export ${variable}=…, or write \${${variable}:-default} in the file.`,
          `export ${variable}=…，或在文件中写 \${${variable}:-默认值}。`,
        )
  const words = formatProblem(problem)
  return fail('config', say(words, `有误：${reasonZh(words)}`), fix)
}
