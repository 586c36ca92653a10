import { GatewayError } from '../../errors.js'
import type { HistoryAnswer, HistoryCall, HistoryEntry } from '../../faces/admin/history.js'
import { callCsvLine, callsCsvHead } from '../../history/csv.js'
import { say } from '../../serving/locale.js'
import { plainText } from '../../telemetry/plain-text.js'
import { isOutputGone, painted, print } from '../terminal/terminal.js'
import { askedBy, type KeptCallFlags, type KeptCallsView, openKeptCalls } from './kept-calls.js'

const page = 500
const mostListed = 10_000
const pollMs = 1000

/** `pegboard calls`: what the history has, the newest last, as logs are read. */
export const listCalls = async (
  flags: KeptCallFlags & {
    readonly limit?: string | undefined
    readonly csv?: boolean | undefined
    readonly follow?: boolean | undefined
  },
): Promise<void> => {
  const view = await openKeptCalls(flags)
  const asked = askedBy(flags)
  const limit = wholeOf(flags.limit ?? '50')
  const found: HistoryCall[] = []
  for await (const { calls, kept } of pages(view, asked, limit)) {
    if (!kept && calls.length === 0) process.stderr.write(`pegboard: ${notKept()}\n`)
    found.push(...calls)
  }
  const write = flags.json ? jsonLine : flags.csv ? csvLine : callLine
  if (flags.csv && !flags.json) process.stdout.write(`${callsCsvHead}\n`)
  for (const call of found.toReversed()) process.stdout.write(`${write(call)}\n`)
  if (found.length === 0 && !flags.json && !flags.csv && !flags.follow)
    process.stderr.write(`pegboard: ${nothing([...askedBy(flags)].length > 0)}\n`)
  if (flags.follow) await follow(view, asked, found, write)
}

const follow = async (
  view: KeptCallsView,
  asked: URLSearchParams,
  found: readonly HistoryCall[],
  write: (call: HistoryCall) => string,
): Promise<void> => {
  let shown = new Set(found.map(({ id }) => id))
  let from = found[0]?.at ?? Date.now()
  while (!isOutputGone()) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    // Some time is asked for again: calls of other processes reach the disk a moment later.
    asked.set('from', String(from - 5 * pollMs))
    asked.set('limit', String(page))
    const { calls } = await view.list(asked)
    const fresh = calls.filter(({ id, at }) => !shown.has(id) && at >= from - 5 * pollMs)
    for (const call of fresh.toReversed()) process.stdout.write(`${write(call)}\n`)
    shown = new Set([...calls, ...found.slice(0, page)].map(({ id }) => id))
    from = Math.max(from, calls[0]?.at ?? 0)
  }
}

/** `pegboard calls show ID`. */
export const showCall = async (id: string, flags: KeptCallFlags): Promise<void> => {
  const entry = await (await openKeptCalls(flags)).one(id)
  print(flags, entry, wordsOf(entry))
}

/** `pegboard calls export`: everything that fits, the newest first. */
export const exportCalls = async (flags: KeptCallFlags & { readonly format: string }): Promise<void> => {
  if (flags.format !== 'csv' && flags.format !== 'jsonl')
    throw new GatewayError('ARGUMENTS_INVALID', say('--format must be jsonl or csv.', '--format 必须是 jsonl 或 csv。'))
  const view = await openKeptCalls(flags)
  const isTable = flags.format === 'csv' && !flags.json
  if (isTable) process.stdout.write(`${callsCsvHead}\r\n`)
  for await (const { calls } of pages(view, askedBy(flags), Number.POSITIVE_INFINITY)) {
    const text = calls.map((call) => (isTable ? `${csvLine(call)}\r\n` : `${jsonLine(call)}\n`)).join('')
    if (isOutputGone()) return
    if (text !== '' && !process.stdout.write(text))
      await new Promise((resolve) => process.stdout.once('drain', resolve).once('close', resolve))
  }
}

async function* pages(view: KeptCallsView, asked: URLSearchParams, most: number): AsyncGenerator<HistoryAnswer> {
  let left = most
  let cursor: string | undefined
  do {
    asked.set('limit', String(Math.min(page, left)))
    if (cursor !== undefined) asked.set('cursor', cursor)
    const answer = await view.list(asked)
    yield answer
    left -= answer.calls.length
    cursor = answer.next
  } while (cursor !== undefined && left > 0)
  asked.delete('cursor')
}

const nothing = (isFiltered: boolean): string =>
  isFiltered
    ? say('No kept call fits that.', '没有符合条件的调用。')
    : say('No calls are kept yet.', '还没有保存任何调用。')

const jsonLine = (call: HistoryCall): string => JSON.stringify(call)
const csvLine = (call: HistoryCall): string => callCsvLine(call as Parameters<typeof callCsvLine>[0])

const notKept = (): string =>
  say(
    'calls are not kept here: history.enabled is off, or data is kept in memory.',
    '此处不保存调用：history.enabled 已关闭，或数据只保存在内存中。',
  )

const wholeOf = (text: string): number => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1) return Math.min(number, mostListed)
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say('--limit must be a whole number from 1.', '--limit 必须是不小于 1 的整数。'),
  )
}

const isFailed = ({ ok, isError }: HistoryCall): boolean => !ok || isError === true

const callLine = (call: HistoryCall): string =>
  [
    painted('dim', new Date(call.at).toISOString().slice(0, 19).replace('T', ' ')),
    isFailed(call) ? painted('red', say('failed', '失败')) : painted('green', say('ok', '成功')),
    plainText(call.tool),
    painted('dim', say('by', '由')),
    plainText(call.callerName ?? call.caller),
    call.client === undefined ? undefined : painted('dim', `(${plainText(call.client)})`),
    call.code,
    painted('dim', `${call.latencyMs.toFixed(call.latencyMs < 10 ? 1 : 0)} ms`),
    call.hasValues ? painted('dim', '+') : undefined,
    painted('dim', call.id),
  ]
    .filter((part) => part !== undefined)
    .join(' ')

const wordsOf = ({ call, values, arguments: args, result }: HistoryEntry): readonly string[] => {
  const { spent } = call
  const sizes = (bytes: number | undefined, tokens: number | undefined): string =>
    bytes === undefined ? '–' : say(`${bytes} bytes, about ${tokens} tokens`, `${bytes} 字节，约 ${tokens} token`)
  const rows: readonly (readonly [string, string | undefined])[] = [
    [say('call', '调用'), `${call.id}`],
    [say('ended', '结束'), new Date(call.at).toISOString()],
    [say('tool', '工具'), call.tool],
    [say('source', '来源'), call.source],
    [say('caller', '调用方'), call.callerName === undefined ? call.caller : `${call.callerName} (${call.caller})`],
    [say('client', '客户端'), call.client && [call.client, call.clientVersion].filter(Boolean).join(' ')],
    [say('by way of', '途径'), [call.face, call.protocol, call.profile].filter(Boolean).join(', ')],
    [say('outcome', '结果'), isFailed(call) ? (call.code ?? say('an error of the tool', '工具报告错误')) : 'ok'],
    [say('message', '消息'), call.message],
    [
      say('took', '耗时'),
      say(
        `${call.latencyMs} ms: source ${spent.sourceMs}, waiting ${spent.waitingMs}, the rest ${spent.ownMs}`,
        `${call.latencyMs} 毫秒：来源 ${spent.sourceMs}，等待 ${spent.waitingMs}，其余 ${spent.ownMs}`,
      ),
    ],
    [say('arguments', '参数'), sizes(call.argumentBytes, call.argumentTokens)],
    [say('result', '返回'), sizes(call.resultBytes, call.resultTokens)],
    [say('script', '脚本'), call.run && [call.run, call.step && `#${call.step}`].filter(Boolean).join(' ')],
    [say('rule', '规则'), call.rule],
  ]
  return [
    ...rows.flatMap(([name, word]) => (word === undefined ? [] : [`${painted('dim', name)}  ${plainText(word)}`])),
    ...valueWords(say('arguments', '参数'), args),
    ...valueWords(say('result', '返回'), result),
    ...(values === 'withheld'
      ? [say('What was said is shown to admins only.', '调用内容只向管理员显示。')]
      : values === 'none'
        ? [painted('dim', say('What was said was not kept: see keepValues.', '未保存调用内容：见 keepValues。'))]
        : []),
  ]
}

const valueWords = (name: string, kept: HistoryEntry['arguments']): readonly string[] =>
  kept === undefined
    ? []
    : [
        '',
        painted('bold', name) + (kept.cut ? say(' (cut)', '（已截断）') : ''),
        kept.cut ? plainText(String(kept.value)) : JSON.stringify(kept.value, null, 2),
      ]
