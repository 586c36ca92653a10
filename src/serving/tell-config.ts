import type { LoadedConfig } from '../config/load.js'
import { formatProblem } from '../config/problems.js'
import { reasonZh } from '../faces/reason-words.js'
import type { Logger } from '../telemetry/logger.js'
import { say } from './locale.js'
import { version } from './version.js'

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

/** The first line. Whoever runs us on the other program's file reads what that program said (001-17). */
export const tellStart = ({ isAgentFormat }: LoadedConfig, logger: Logger): void =>
  isAgentFormat
    ? logger.child('manager').log('info', 'Starting MCP Agent Manager')
    : logger.child('pegboard').log('info', say(`Starting Pegboard ${version}`, `正在启动 Pegboard ${version}`))

/** Which of the changes in the file do not count yet. */
export const tellWaiting = (places: readonly string[], logger: Logger): void => {
  if (places.length === 0) return
  const changed = places.join(', ')
  logger.log('warn', say(`Changed, and in force after a restart: ${changed}`, `以下设置已更改，重启后生效：${changed}`))
}
