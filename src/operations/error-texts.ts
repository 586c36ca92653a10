import type { ErrorCode } from '../errors.js'
import type { HttpErrorCode } from '../http/http-error.js'
import { isRecord } from '../model/json.js'

/** What to try, in both languages; the English message comes with the error itself. `{tool}` is filled from details. */
export interface ErrorText {
  readonly hint: string
  readonly zh: string
  readonly zhHint: string
}

const text = (hint: string, zh: string, zhHint: string): ErrorText => ({ hint, zh, zhHint })

const askOperator = 'Ask whoever runs this server; its log names this request.'
const zhAskOperator = '请联系服务管理员；服务日志中有此请求编号的记录。'

/** Every code has its words: a new one fails the type-check until somebody wrote them. */
export const errorTexts: Readonly<Record<ErrorCode | HttpErrorCode, ErrorText>> = {
  CONFIG_UNREADABLE: text(askOperator, '服务配置无法读取。', zhAskOperator),
  CONFIG_UNTRUSTED: text(askOperator, '配置文件尚未获得同意，未被采用。', zhAskOperator),
  CONFIG_INVALID: text(askOperator, '配置无效。', zhAskOperator),
  VARIABLE_UNSET: text(askOperator, '配置引用的环境变量未设置。', zhAskOperator),
  SOURCE_INVALID: text('Check the source in the configuration.', '工具来源的配置无效。', '请检查该来源的配置。'),
  CONFIG_CONFLICT: text(
    'Look at it again, and repeat the change if it is still wanted.',
    '同时有人修改了同一处配置。',
    '请重新查看；仍需要时再改一次。',
  ),
  SOURCE_CONFLICT: text(
    'Choose another name or namespace.',
    '工具来源的名称或命名空间已被占用。',
    '请换一个名称或命名空间。',
  ),
  SOURCE_START_FAILED: text(
    'GET /api/v1/sources shows why.',
    '工具来源 {source} 启动失败。',
    '可通过 GET /api/v1/sources 查看原因。',
  ),
  SOURCE_STOP_FAILED: text(askOperator, '工具来源 {source} 未能停止。', zhAskOperator),
  SOURCE_NOT_FOUND: text(
    'GET /api/v1/sources lists the sources.',
    '未找到工具来源 {source}。',
    '可通过 GET /api/v1/sources 查看全部来源。',
  ),
  SOURCE_UNAVAILABLE: text(
    'Try again shortly; GET /api/v1/sources shows its state.',
    '工具来源 {source} 暂不可用。',
    '请稍后重试；可通过 GET /api/v1/sources 查看其状态。',
  ),
  CIRCUIT_OPEN: text(
    'It failed repeatedly; try again after the time in Retry-After.',
    '工具 {tool} 连续失败，已暂停调用。',
    '请在 Retry-After 所示时间后重试。',
  ),
  DEADLINE_EXCEEDED: text(
    'It may still have run. Ask for less, or raise the timeout.',
    '工具 {tool} 未在 {timeoutMs} 毫秒内应答。',
    '调用可能已执行；请减少请求内容或调大超时时间。',
  ),
  CALL_CANCELLED: text('The client left before the answer.', '调用已被取消。', '客户端在应答之前断开了连接。'),
  TOOL_INVALID: text('Check the definition of the tool.', '工具定义无效。', '请检查工具定义。'),
  TOOL_CONFLICT: text('Choose another name.', '工具 {tool} 已存在。', '请换一个名称。'),
  NOT_OFFERED: text(
    'prompts/list and resources/list over MCP tell what there is.',
    '没有任何来源提供：{tool}。',
    '可通过 MCP 的 prompts/list 和 resources/list 查看现有内容。',
  ),
  TOOL_NOT_FOUND: text(
    'GET /api/v1/tools lists the tools, POST /api/v1/search finds them by words.',
    '未找到工具：{tool}。',
    '可通过 GET /api/v1/tools 列出工具，或用 POST /api/v1/search 按描述查找。',
  ),
  TOOL_HELD: text(
    'Whoever runs the gateway looks at it: pegboard approvals.',
    '{tool} 尚未批准，或在批准之后发生了变化，已被扣留。',
    '请网关的管理员查看：pegboard approvals。',
  ),
  TOOL_NOT_CALLABLE: text(
    'This tool is only listed here; call it where it lives.',
    '工具 {tool} 仅供查看，不能调用。',
    '请在该工具所在的服务中调用。',
  ),
  TOOL_ASYNC_ONLY: text('Use the asynchronous call.', '工具 {tool} 只能异步调用。', '请使用异步调用。'),
  TOOL_FAILED: text(
    'The tool itself failed; its message says why.',
    '工具 {tool} 执行失败。',
    '失败原因见工具自身的说明。',
  ),
  NAME_COLLISION: text(
    'Rename one of the two, or give a source another namespace.',
    '名称冲突。',
    '请重命名其中一个，或更改来源的命名空间。',
  ),
  ARGUMENTS_INVALID: text(
    'GET /api/v1/tools/{id} shows the input schema.',
    '参数校验失败：{problems}。',
    '可通过 GET /api/v1/tools/{id} 查看输入模式。',
  ),
  SCHEMA_INVALID: text('Correct the schema at the place named.', '模式（Schema）无效。', '请修正所指位置的模式。'),
  SCHEMA_UNSUPPORTED: text(
    'Use JSON Schema 2020-12 without the keyword named.',
    '模式（Schema）使用了不支持的关键字。',
    '请改用 JSON Schema 2020-12 支持的关键字。',
  ),
  RESULT_INVALID: text(
    'The tool answered with something that cannot be carried.',
    '工具返回的结果无法传输。',
    '请检查工具的返回值。',
  ),
  RESULT_TOO_LARGE: text('Ask for less.', '工具 {tool} 的结果过大。', '请减少请求的内容。'),
  LIST_TOO_LARGE: text('Use "limit" and "cursor".', '工具列表过大。', '请使用 limit 和 cursor 分页。'),
  // Also of addresses that a source may not be asked at, which no key changes.
  ACCESS_DENIED: text(
    'Ask for a key that may do this, or whoever runs this server.',
    '没有权限：{host}。',
    '请申请具有相应权限的密钥，或联系服务管理员。',
  ),
  APPROVAL_REQUIRED: text(
    'Somebody has been asked. Send the same call again once they said yes; GET /api/v1/approvals/{approval} tells the state.',
    '调用 {tool} 需要批准，已提出申请 {approval}。',
    '批准之后请用相同的参数再次调用；可通过 GET /api/v1/approvals/{approval} 查看状态。',
  ),
  APPROVAL_DENIED: text(
    'Ask whoever runs this server, or call it with other arguments.',
    '调用 {tool} 未获批准：{reason}。',
    '请联系服务管理员，或改用其他参数。',
  ),
  SIGN_IN_REQUIRED: text(
    'Sign in at the address named, then call again.',
    '来源 {source} 需要您自己登录：{url}',
    '请先在所示地址登录，然后重试。',
  ),
  SIGN_IN_FAILED: text(
    'Begin again; if it fails again, ask whoever runs this server.',
    '登录没有成功。',
    '请重新登录；若再次失败，请联系服务管理员。',
  ),
  ISSUER_UNAVAILABLE: text(
    'Try again shortly; your token is not the problem.',
    '无法联系身份提供方 {issuer}。',
    '请稍后重试；令牌本身没有问题。',
  ),
  CREDENTIAL_UNREADABLE: text(askOperator, '已保存的凭据无法解密。', zhAskOperator),
  RATE_LIMITED: text('Wait for the time in Retry-After.', '请求过于频繁。', '请在 Retry-After 所示时间后重试。'),
  QUOTA_EXCEEDED: text(
    'Let go of some of what you hold, or wait for the time in Retry-After.',
    '已达单个调用者的上限：{bound} 最多 {most}（{setting}）。',
    '请先释放一部分，或在 Retry-After 所示时间后重试。',
  ),
  OVERLOADED: text('Try again shortly.', '服务繁忙。', '请稍后重试。'),
  LOOP_DETECTED: text(
    'A tool calls itself through others; break the circle.',
    '检测到循环调用。',
    '请打破工具之间的循环调用。',
  ),
  SECRET_REFUSED: text(
    'Leave the secret out, or let an operator allow it.',
    '内容含有机密信息，已拒绝。',
    '请去掉机密信息，或请管理员放行。',
  ),
  SCRIPT_INVALID: text(
    'Mend the script at the line in the details, and run it again.',
    '脚本无法解析，或过长。',
    '请按 details 中的行号修改脚本后重试。',
  ),
  SCRIPT_FAILED: text(
    'Read what was thrown and where. Calls made before stay done: do not repeat them blindly.',
    '脚本运行失败。',
    '请查看抛出的错误和行号；之前的调用已经生效，不要盲目重复。',
  ),
  SCRIPT_LIMIT: text(
    'Do less at once, or let an operator raise the limit that details names. Calls made before stay done.',
    '脚本超出了限制。',
    '请减少一次处理的内容，或请管理员提高 details 中的限制；之前的调用已经生效。',
  ),
  PLUGIN_FAILED: text(askOperator, '网关的插件出错，调用未放行。', zhAskOperator),
  STORE_UNREADABLE: text(askOperator, '数据存储无法读取。', zhAskOperator),
  STORE_CORRUPT: text(askOperator, '数据存储已损坏。', zhAskOperator),
  STORE_WRITE_FAILED: text(askOperator, '数据写入失败。', zhAskOperator),
  STORE_TOO_NEW: text(askOperator, '数据由更新的版本写入。', zhAskOperator),
  STORE_UNAVAILABLE: text(
    'Try again shortly: what is known goes on working, but nothing can be saved now.',
    '数据库暂时不可用，现在无法保存。',
    '请稍后重试；已知的内容仍可使用。',
  ),
  MCP_UNAVAILABLE: text(askOperator, 'MCP 支持不可用。', zhAskOperator),
  GATEWAY_LOST: text(
    'It may have run. Look before you try again.',
    '网关在应答之前已停止。',
    '调用可能已执行；重试之前请先确认。',
  ),
  FLEET_NAME_TAKEN: text(askOperator, '集群中已有同名的副本。', zhAskOperator),
  FLEET_SECRET_DIFFERS: text(askOperator, '本副本的集群密钥与其他副本不同。', zhAskOperator),
  INTERNAL: text(askOperator, '服务内部错误。', zhAskOperator),
  REQUEST_INVALID: text(
    'GET /openapi.json describes every request.',
    '请求无效：{problems}。',
    '请求格式见 GET /openapi.json。',
  ),
  HOST_REFUSED: text(
    'Use the address the server printed at its start.',
    '不接受此 Host。',
    '请使用服务启动时显示的地址。',
  ),
  ORIGIN_REFUSED: text(
    'Add the origin to server.allowedOrigins.',
    '不接受此来源的网页。',
    '请将该来源加入 server.allowedOrigins。',
  ),
  ROUTE_NOT_FOUND: text(
    'GET /openapi.json lists what is here.',
    '未找到：此地址不存在。',
    '可用地址见 GET /openapi.json。',
  ),
  NOT_FOUND: text('Look at the list again.', '未找到：所指的对象不存在或已不在。', '请重新查看列表。'),
  METHOD_NOT_ALLOWED: text('Use one of the methods in Allow.', '不支持此请求方法。', '请使用 Allow 中列出的方法。'),
  INSUFFICIENT_SCOPE: text(
    'Sign in again and grant the scope named.',
    '令牌的权限范围不足。',
    '请重新登录并授予所示范围。',
  ),
  SESSION_OVER: text('Sign in again.', '登录已结束。', '请重新登录。'),
  UNAUTHENTICATED: text(
    'Send a key as "Authorization: Bearer <key>".',
    '需要有效的密钥。',
    '请以 “Authorization: Bearer <密钥>” 发送密钥。',
  ),
  BODY_TOO_LARGE: text('Send less at once.', '请求体过大。', '请减少一次发送的内容。'),
  BODY_ENCODED: text('Send it without Content-Encoding.', '不接受压缩的请求体。', '请不要使用 Content-Encoding。'),
  STOPPING: text('Try again in a moment.', '服务正在停止。', '请稍后重试。'),
}

/** Whether a code has words of ours. */
export const isTold = (code: string): code is ErrorCode | HttpErrorCode => Object.hasOwn(errorTexts, code)

/** The Chinese sentence with its facts; what a detail does not tell is left out with the words around it. */
export const toldIn = (sentence: string, details: Readonly<Record<string, unknown>> | undefined): string =>
  sentence
    .replace(/[：]?\s?\{(\w+)\}\s?/g, (whole, name: string) => {
      const fact = name === 'problems' ? problemsIn(details?.problems) : details?.[name]
      return typeof fact === 'string' || typeof fact === 'number' ? whole.replace(`{${name}}`, String(fact)) : ''
    })
    .trim()

const keywordWords: Readonly<Record<string, string>> = {
  required: '缺少必填项',
  type: '类型不符',
  enum: '不在可选值之内',
  const: '不等于固定值',
  additionalProperties: '存在未定义的字段',
  unevaluatedProperties: '存在未定义的字段',
  minimum: '小于最小值',
  maximum: '大于最大值',
  minLength: '长度过短',
  maxLength: '长度过长',
  pattern: '格式不符',
  format: '格式不符',
  minItems: '元素过少',
  maxItems: '元素过多',
}

/** What a check of arguments found, in Chinese: the first of them, each with its place; undefined when there are none. */
export const problemsIn = (problems: unknown): string | undefined => {
  if (!Array.isArray(problems) || problems.length === 0) return undefined
  const told = problems.slice(0, 5).map((problem) => {
    const { path = '', keyword = '' } = isRecord(problem) ? problem : {}
    const words = Object.hasOwn(keywordWords, String(keyword)) ? keywordWords[String(keyword)] : '不符合要求'
    return `${path === '' ? '参数' : String(path)} ${words}`
  })
  return told.join('；')
}
