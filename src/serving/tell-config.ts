import type { LoadedConfig } from '../config/load.js'
import { formatProblem } from '../config/problems.js'
import { reasonZh } from '../faces/reason-words.js'
import type { Logger } from '../telemetry/logger.js'
import { say } from './locale.js'

/** Logs what a configuration has to say when it is read: what is ignored, and which sources need more of it. */
export const tellConfig = ({ notes, problems }: LoadedConfig, logger: Logger): void => {
  for (const { path, message } of notes)
    logger.log('warn', say(`${path} ${message}`, `配置 ${path}：${reasonZh(message)}`))
  for (const problem of problems)
    logger.log(
      'warn',
      say(
        `Source '${problem.source}' needs configuration: ${formatProblem(problem)}`,
        `来源“${problem.source}”需要配置：${reasonZh(formatProblem(problem))}`,
      ),
    )
}
