import { type ErrorCode, type GatewayError, isGatewayError } from '../../errors.js'
import { isHttpError } from '../../http/http-error.js'
import { problemsIn } from '../../operations/error-texts.js'
import { isRecallError, RecallError, type RecallWords, recallError } from './recall-error.js'

/** The statuses document 004 knows (004-17): 400, 404, 502, 500; others where those would tell a lie. */
const statusOf: Readonly<Record<ErrorCode, number>> = {
  ARGUMENTS_INVALID: 400,
  NOT_OFFERED: 404,
  TOOL_NOT_FOUND: 404,
  SOURCE_NOT_FOUND: 404,
  TOOL_NOT_CALLABLE: 404,
  TOOL_HELD: 404,
  ACCESS_DENIED: 403,
  // 004 takes every 2xx for an answer.
  APPROVAL_REQUIRED: 403,
  APPROVAL_DENIED: 403,
  SIGN_IN_REQUIRED: 403,
  SIGN_IN_FAILED: 403,
  ISSUER_UNAVAILABLE: 502,
  CREDENTIAL_UNREADABLE: 500,
  RATE_LIMITED: 429,
  QUOTA_EXCEEDED: 429,
  SOURCE_UNAVAILABLE: 502,
  SOURCE_START_FAILED: 502,
  SOURCE_STOP_FAILED: 502,
  CIRCUIT_OPEN: 502,
  DEADLINE_EXCEEDED: 502,
  CALL_CANCELLED: 502,
  TOOL_FAILED: 502,
  OVERLOADED: 502,
  MCP_UNAVAILABLE: 502,
  GATEWAY_LOST: 502,
  RESULT_INVALID: 500,
  RESULT_TOO_LARGE: 500,
  LOOP_DETECTED: 500,
  SECRET_REFUSED: 500,
  SCRIPT_INVALID: 400,
  SCRIPT_FAILED: 500,
  SCRIPT_LIMIT: 500,
  PLUGIN_FAILED: 500,
  TOOL_INVALID: 500,
  TOOL_CONFLICT: 500,
  TOOL_ASYNC_ONLY: 500,
  NAME_COLLISION: 500,
  SCHEMA_INVALID: 500,
  SCHEMA_UNSUPPORTED: 500,
  LIST_TOO_LARGE: 500,
  SOURCE_INVALID: 500,
  CONFIG_CONFLICT: 500,
  SOURCE_CONFLICT: 500,
  CONFIG_UNREADABLE: 500,
  CONFIG_UNTRUSTED: 500,
  CONFIG_INVALID: 500,
  VARIABLE_UNSET: 500,
  STORE_UNREADABLE: 500,
  STORE_CORRUPT: 500,
  STORE_WRITE_FAILED: 500,
  STORE_UNAVAILABLE: 503,
  STORE_TOO_NEW: 500,
  FLEET_NAME_TAKEN: 500,
  FLEET_SECRET_DIFFERS: 500,
  INTERNAL: 500,
}

/** What a face may be asked to do differently. */
export interface ErrorStyle {
  /** 504 where time ran out, instead of 004's 502. */
  readonly gatewayTimeout: boolean
}

/** Anything thrown as a refusal of 004's wire; undefined for a stranger's error, which is ours to log. */
export const toRecallError = (error: unknown, style: ErrorStyle): RecallError | undefined => {
  if (isRecallError(error)) return error
  if (isHttpError(error))
    return error.status === 400 || error.status === 415
      ? recallError(error.status, `invalid request body: ${error.message}`, '请求体无效', error)
      : recallError(error.status, error.message, '请求无法处理', error)
  return isGatewayError(error) ? fromGateway(error, style) : undefined
}

const fromGateway = (error: GatewayError, { gatewayTimeout }: ErrorStyle): RecallError => {
  const status = error.code === 'DEADLINE_EXCEEDED' && gatewayTimeout ? 504 : statusOf[error.code]
  const { message } = error
  const zh: RecallWords = { 'en-US': message, 'zh-Hans': chinese(error) ?? message }
  const { code } = recallError(status, '', '')
  return new RecallError(status, code, zh, { cause: error })
}

const chinese = ({ code, details }: GatewayError): string | undefined => {
  const tool = String(details?.tool ?? '')
  const sentences: Partial<Record<ErrorCode, string>> = {
    TOOL_NOT_FOUND: `未找到指定工具: ${tool}`,
    ARGUMENTS_INVALID: `工具参数校验失败: ${[tool, problemsIn(details?.problems)].filter(Boolean).join(': ')}`,
    DEADLINE_EXCEEDED: `工具调用超时: ${tool}`,
    SOURCE_UNAVAILABLE: 'MCP 服务不可用',
    SOURCE_START_FAILED: 'MCP 服务不可用',
    CIRCUIT_OPEN: 'MCP 服务不可用',
    TOOL_FAILED: `工具调用失败: ${tool}`,
    ACCESS_DENIED: `没有调用权限: ${tool}`,
    APPROVAL_REQUIRED: `需要批准，已提出申请: ${tool}`,
    APPROVAL_DENIED: `未获批准: ${tool}`,
    SIGN_IN_REQUIRED: `需要先登录: ${[details?.source, details?.url].filter(Boolean).join(' ')}`,
    RATE_LIMITED: '请求过于频繁',
    QUOTA_EXCEEDED: '占用已达单个调用者的上限',
  }
  return sentences[code]
}
