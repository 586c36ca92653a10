import { type ErrorCode, isGatewayError, messageOf } from '../../errors.js'
import { toldHere } from '../../serving/error-words.js'
import { say } from '../../serving/locale.js'
import { plainText } from '../../telemetry/plain-text.js'

/** What a script can rely on. */
export const exitCodes = { ok: 0, failed: 1, notFound: 2, auth: 3, unreachable: 4, toolError: 5, config: 6 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The codes in words, for `--help` and docs/cli.md. */
export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  0: say('done', '成功'),
  1: say(
    'failed, wrong usage, `lock diff` found a difference, or `doctor` found something else broken than below',
    '失败、用法错误、`lock diff` 发现差异，或 `doctor` 发现下列以外的故障',
  ),
  2: say(
    'nothing found: no such tool, source, client, file or profile',
    '未找到：没有这样的工具、来源、客户端、文件或配置档',
  ),
  3: say('not allowed, or nobody said yes to this configuration', '没有权限，或该配置尚未获得同意'),
  4: say('a source or the gateway could not be reached in time', '未能及时连上某个来源或网关'),
  5: say('the tool answered with an error', '工具返回了错误'),
  6: say('the configuration is wrong or cannot be read', '配置有误或无法读取'),
}

/** A command that ends with a code of its own and has said why. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode) {
    super(message)
    this.exitCode = exitCode
  }
}

const byCode: Partial<Record<ErrorCode, ExitCode>> = {
  TOOL_NOT_FOUND: exitCodes.notFound,
  SOURCE_NOT_FOUND: exitCodes.notFound,
  ACCESS_DENIED: exitCodes.auth,
  TOOL_HELD: exitCodes.auth,
  APPROVAL_REQUIRED: exitCodes.auth,
  APPROVAL_DENIED: exitCodes.auth,
  CONFIG_UNTRUSTED: exitCodes.auth,
  SOURCE_UNAVAILABLE: exitCodes.unreachable,
  SOURCE_START_FAILED: exitCodes.unreachable,
  DEADLINE_EXCEEDED: exitCodes.unreachable,
  CIRCUIT_OPEN: exitCodes.unreachable,
  GATEWAY_LOST: exitCodes.unreachable,
  TOOL_FAILED: exitCodes.toolError,
  CONFIG_INVALID: exitCodes.config,
  CONFIG_UNREADABLE: exitCodes.config,
  VARIABLE_UNSET: exitCodes.config,
}

/** Says what went wrong on stderr, as JSON for programs, and gives the code to end with. */
export const reportFailure = (error: unknown, json: boolean): ExitCode => {
  const message = messageOf(error)
  const code = isGatewayError(error) ? error.code : undefined
  // Words of strangers' files and servers are in it, and names of their folders.
  process.stderr.write(
    json ? `${JSON.stringify({ error: { code, message } })}\n` : `pegboard: ${plainText(toldHere(error))}\n`,
  )
  if (error instanceof CommandFailed) return error.exitCode
  return (code && byCode[code]) ?? exitCodes.failed
}
