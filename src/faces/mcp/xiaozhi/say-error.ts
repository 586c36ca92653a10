import type { ErrorCode, GatewayError } from '../../../errors.js'
import { isRpcError, type RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { wholeHead } from '../../../model/fit/fit-text.js'
import { errorTexts, toldIn } from '../../../operations/error-texts.js'

/** The language of what is read aloud. */
export type SpokenLanguage = 'en' | 'zh'

/** How an endpoint speaks: fixed, or by what it hears. */
export interface Speech {
  readonly language: SpokenLanguage
  /** The arguments of a call, in which a person's own words are. */
  heard(args: unknown): void
  /** A failure in one sentence that can be read aloud: what did not work, and whether to try again. */
  sayError(error: GatewayError): string
}

/** Above this nobody listens any more. */
const spokenBytes = 240
const han = /\p{Script=Han}/u

/** `auto` begins in the language of the place and changes to Chinese once Chinese is spoken there. */
export const createSpeech = (setting: SpokenLanguage | 'auto', place: SpokenLanguage): Speech => {
  let language = setting === 'auto' ? place : setting
  return {
    get language() {
      return language
    },
    heard: (args) => {
      if (setting === 'auto' && language === 'en' && args !== undefined && han.test(JSON.stringify(args)))
        language = 'zh'
    },
    sayError: (error) => wholeHead((language === 'zh' ? inChinese : inEnglish)(error), spokenBytes),
  }
}

/** What a refusal of the protocol is called; the far side reads that aloud too (X11). */
export const sayRefusal = (error: unknown, language: SpokenLanguage): string => {
  if (!isRpcError(error))
    return language === 'zh' ? '网关未能应答，请反馈此问题。' : 'The gateway failed to answer. Please report this.'
  return language === 'zh' ? chineseRefusal(error) : error.message
}

const chineseRefusal = ({ code, message }: RpcError): string => {
  const [, tool] = /^Unknown tool: (.*)$/s.exec(message) ?? []
  if (tool !== undefined) return `没有名为 ${tool} 的工具，请先列出工具。`
  const [, name] = /^More than one tool could be meant by '(.*)':/s.exec(message) ?? []
  if (name !== undefined) return `${name} 可能指多个工具，请重新列出工具。`
  if (message.startsWith('Too many calls')) return '同时进行的调用过多，请稍后再试。'
  return code === rpcCodes.methodNotFound ? '不支持这个请求。' : `请求有误：${message}`
}

const toolOf = ({ details }: GatewayError): string | undefined =>
  typeof details?.tool === 'string' ? details.tool : undefined

const inEnglish = (error: GatewayError): string => {
  const [english] = spoken[error.code] ?? []
  return english?.(toolOf(error) ?? 'The tool') ?? error.message
}

const inChinese = (error: GatewayError): string => {
  const [, chinese] = spoken[error.code] ?? []
  return chinese?.(toolOf(error) ?? '该工具') ?? toldIn(errorTexts[error.code].zh, error.details)
}

type Sentences = readonly [english: (tool: string) => string, chinese: (tool: string) => string]

const unreachable: Sentences = [
  (tool) => `${tool} cannot be reached right now. Try again later.`,
  (tool) => `${tool} 暂时无法连接，请稍后再试。`,
]

// The rest say in their own words what the model has to change, such as a wrong argument.
const spoken: Partial<Readonly<Record<ErrorCode, Sentences>>> = {
  DEADLINE_EXCEEDED: [
    (tool) => `${tool} takes too long and was not waited for. It may still finish.`,
    (tool) => `${tool} 用时太长，没有再等，可能稍后才完成。`,
  ],
  SOURCE_UNAVAILABLE: unreachable,
  SOURCE_START_FAILED: unreachable,
  SOURCE_NOT_FOUND: unreachable,
  CIRCUIT_OPEN: unreachable,
  MCP_UNAVAILABLE: unreachable,
  GATEWAY_LOST: unreachable,
  OVERLOADED: [(tool) => `${tool} is busy. Try again in a moment.`, (tool) => `${tool} 正忙，请稍后再试。`],
  RATE_LIMITED: [() => 'Too many calls in a short time. Wait a moment.', () => '短时间内调用太多，请稍等。'],
  QUOTA_EXCEEDED: [() => 'Too much is running already. Wait a moment.', () => '正在进行的调用太多，请稍等。'],
  ACCESS_DENIED: [(tool) => `${tool} is not allowed here.`, (tool) => `这里不允许使用 ${tool}。`],
  APPROVAL_REQUIRED: [
    () => 'I have asked. Say it again when it is approved.',
    () => '已经请人批准。批准之后请再说一遍。',
  ],
  APPROVAL_DENIED: [(tool) => `${tool} was not approved.`, (tool) => `${tool} 没有获得批准。`],
  LOOP_DETECTED: [
    (tool) => `${tool} keeps calling itself and was stopped.`,
    (tool) => `${tool} 在反复调用自己，已停止。`,
  ],
  SECRET_REFUSED: [
    (tool) => `There is a secret in it, so ${tool} was stopped.`,
    (tool) => `内容含有机密信息，已停止 ${tool}。`,
  ],
}
