import { type GatewayError, isGatewayError } from '../../errors.js'
import { type Language, languageOf } from '../../http/language.js'
import type { HttpExchange } from '../../http/route.js'
import { httpStatus } from '../../http/status.js'
import type { Caller } from '../../model/caller.js'
import type { CallApprovalRow } from '../../operations/call-approvals.js'
import { visibleText } from '../../telemetry/visible-text.js'
import { escaped, paragraph, sendMarkup } from './plain-page.js'

export interface LinkAnswer {
  readonly decision: 'once' | 'deny'
  readonly note: string | undefined
}

/** What the page behind a link asks for. */
export interface ApprovalLinkDesk {
  /** The request that a link is for; undefined where it is none, was used, or its request is over. */
  look(token: string): Promise<CallApprovalRow | undefined>
  /** Whether holding the link is not enough. */
  needsKey(): boolean
  /** Who this browser is signed in as, where they may approve. */
  visitor(exchange: HttpExchange): Promise<Caller | undefined>
  /** Where people sign in and come back to this link; undefined where they show keys alone. */
  signInAt(token: string): string | undefined
  /** Counts a link that is none; how long whoever tries should wait, 0 while they may go on. */
  wrongLink(exchange: HttpExchange): number
  /** Who holds this key, where they may approve; what was wrong is written down. */
  holderOf(exchange: HttpExchange, key: string): Promise<Caller | 'wrong' | 'mayNot' | 'tooMany'>
  /** Whether one of our own pages sent this form. */
  isOwnForm(exchange: HttpExchange): boolean
  /** Gives the answer: in the name of whoever showed who they are, else of the link. Rejects where somebody was quicker. */
  answer(token: string, row: CallApprovalRow, answer: LinkAnswer, by: Caller | undefined): Promise<void>
}

const mostFormBytes = 16 * 1024

/**
 * The page behind a link to one request: what would be sent, and two buttons. Looking decides nothing, however often it is
 * done: programs open links before people do. Only the form of this page does.
 */
export const showApprovalLink = (desk: ApprovalLinkDesk, exchange: HttpExchange): Promise<void> =>
  withRequest(desk, exchange, async (token, row) => show(desk, exchange, token, row))

export const answerApprovalLink = (desk: ApprovalLinkDesk, exchange: HttpExchange): Promise<void> =>
  withRequest(desk, exchange, async (token, row) => {
    if (!desk.isOwnForm(exchange)) return send(exchange, 403, 'foreign')
    const form = new URLSearchParams((await exchange.readBody(mostFormBytes)).toString('utf8'))
    const decision = form.get('decision')
    if (decision !== 'once' && decision !== 'deny') return show(desk, exchange, token, row, 400, 'undecided')
    // Nobody says yes to what they cannot be shown.
    if (decision === 'once' && row.arguments === undefined) return show(desk, exchange, token, row, 409)
    const by = desk.needsKey() ? await approverIn(desk, exchange, form) : undefined
    if (typeof by === 'string') return show(desk, exchange, token, row, by === 'tooMany' ? 429 : 403, by)
    const note = form.get('note')?.trim()
    try {
      await desk.answer(token, row, { decision, note: note === '' ? undefined : note }, by)
    } catch (error) {
      if (!isGatewayError(error) || error.code === 'CONFIG_CONFLICT') throw error
      return show(desk, exchange, token, row, httpStatus[error.code], error)
    }
    send(exchange, 200, decision === 'once' ? 'approved' : 'denied')
  })

/** Whatever is wrong with a link looks the same from outside. */
const withRequest = async (
  desk: ApprovalLinkDesk,
  exchange: HttpExchange,
  work: (token: string, row: CallApprovalRow) => Promise<void>,
): Promise<void> => {
  const token = exchange.params.token ?? ''
  try {
    const row = await desk.look(token)
    if (row) return await work(token, row)
    return send(exchange, desk.wrongLink(exchange) === 0 ? 404 : 429, 'gone')
  } catch (error) {
    if (!isGatewayError(error)) throw error
    // Somebody was quicker.
    if (error.code === 'CONFIG_CONFLICT') return send(exchange, 410, 'gone')
    send(exchange, httpStatus[error.code], 'failed', paragraph(error.message))
  }
}

const approverIn = async (
  desk: ApprovalLinkDesk,
  exchange: HttpExchange,
  form: URLSearchParams,
): Promise<Caller | Problem> => {
  const key = form.get('key')?.trim() ?? ''
  if (key !== '') return desk.holderOf(exchange, key)
  return (await desk.visitor(exchange)) ?? 'keyNeeded'
}

const show = async (
  desk: ApprovalLinkDesk,
  exchange: HttpExchange,
  token: string,
  row: CallApprovalRow,
  status = 200,
  problem?: Problem | GatewayError,
): Promise<void> => {
  const said = texts[languageOf(exchange.request.headers)]
  const told = typeof problem === 'string' ? said.problems[problem] : problem?.message
  const alert = told === undefined ? '' : `<p class="warning" role="alert">${escaped(told)}</p>`
  const who = desk.needsKey() ? await whoAnswers(desk, exchange, token, said) : ''
  // The first button of a form is the one that Enter presses: one that cannot be pressed, so that no line of text says yes.
  const once = row.arguments === undefined ? '' : `<button name="decision" value="once">${said.once}</button>`
  const form = `<form method="post"><button hidden disabled></button>${who}<label for="note">${said.note}</label><input id="note" name="note" maxlength="500" autocomplete="off">${once}<button name="decision" value="deny">${said.deny}</button></form>`
  send(exchange, status, 'ask', `${alert}${factsOf(row, said)}${form}<p class="small">${said.exactly}</p>`)
}

const whoAnswers = async (
  desk: ApprovalLinkDesk,
  exchange: HttpExchange,
  token: string,
  said: Texts,
): Promise<string> => {
  const visitor = await desk.visitor(exchange)
  const { name, email } = visitor?.identity ?? {}
  if (visitor)
    return paragraph(`${said.signedIn} ${visibleText(name ?? email ?? visitor.name ?? visitor.id).slice(0, 200)}`)
  const way = desk.signInAt(token)
  const link = way === undefined ? '' : `<p><a href="${escaped(way)}">${said.signIn}</a></p>`
  return `${link}<label for="key">${said.key}</label><input id="key" type="password" name="key" autocomplete="off" maxlength="256">`
}

const factsOf = (row: CallApprovalRow, said: Texts): string => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    [said.tool, row.title === undefined ? row.tool : `${row.title} · ${row.tool}`],
    [said.caller, row.callerName === undefined ? row.caller : `${row.callerName} · ${row.caller}`],
    [said.profile, row.profile],
    [said.rule, row.rules.join(', ')],
    [said.reason, row.reason],
    [said.until, new Date(row.expiresAt).toISOString()],
  ]
  // Strangers chose some of these names: nothing may hide in them.
  const facts = rows.flatMap(([label, value]) =>
    value === undefined ? [] : [`<dt>${label}</dt><dd>${escaped(visibleText(value))}</dd>`],
  )
  const cut = row.isCut ? `<p class="warning">${said.cut(row.argumentBytes)}</p>` : ''
  const sent = row.arguments === undefined ? paragraph(said.away) : `<pre>${escaped(row.arguments)}</pre>`
  return `<dl>${facts.join('')}</dl><h2>${said.arguments}</h2>${cut}${sent}`
}

const send = (exchange: HttpExchange, status: number, told: Told, body = ''): void => {
  const [title, text] = texts[languageOf(exchange.request.headers)].pages[told]
  sendMarkup(exchange, status, title, `${paragraph(text)}${body}`, told === 'ask' ? "'self'" : "'none'")
}

type Told = 'ask' | 'gone' | 'foreign' | 'failed' | 'approved' | 'denied'
type Problem = 'undecided' | 'keyNeeded' | 'wrong' | 'mayNot' | 'tooMany'

interface Texts extends Readonly<Record<(typeof labels)[number], string>> {
  readonly pages: Readonly<Record<Told, readonly [string, string]>>
  readonly problems: Readonly<Record<Problem, string>>
  readonly cut: (bytes: number) => string
}

const labels = [
  ...(['tool', 'caller', 'profile', 'rule', 'reason', 'until', 'arguments', 'away'] as const),
  ...(['note', 'once', 'deny', 'exactly', 'key', 'signIn', 'signedIn'] as const),
] as const

const texts: Readonly<Record<Language, Texts>> = {
  'en-US': {
    pages: {
      ask: ['May this call be made?', ''],
      gone: [
        'This link is not valid any more',
        'It was used, its time is up, or it is none of ours. Nothing was decided.',
      ],
      foreign: [
        'Nothing was decided',
        'This form did not come from our own page. Open the link again, and answer there.',
      ],
      failed: ['It did not work', ''],
      approved: ['Approved, once', 'The call is made as soon as it is sent again. You can close this window.'],
      denied: ['Denied', 'The call is not made. You can close this window.'],
    },
    problems: {
      undecided: 'Choose one of the two.',
      keyNeeded: 'Show who you are: a key with the right to approve.',
      wrong: 'This key opens nothing here. Check it for missing characters.',
      mayNot: 'This key may not approve calls.',
      tooMany: 'Too many wrong keys came from this address. Wait a little, then try again.',
    },
    tool: 'Tool',
    caller: 'Asked for by',
    profile: 'Profile',
    rule: 'Rule',
    reason: 'Why somebody is asked',
    until: 'Can be answered until',
    arguments: 'What would be sent',
    cut: (bytes) => `Only the beginning of ${bytes} bytes is shown.`,
    away: 'The arguments are in the memory of another process: here they can only be refused.',
    note: 'A note, which the caller is told',
    once: 'Approve once',
    deny: 'Deny',
    exactly:
      'A yes is for exactly this call and for one time. Secrets are masked; characters that nobody sees are written out.',
    key: 'Your Pegboard key',
    signIn: 'Sign in with your account',
    signedIn: 'You answer as',
  },
  'zh-Hans': {
    pages: {
      ask: ['是否允许这次调用？', ''],
      gone: ['此链接已失效', '链接已被使用、已过期，或不是本网关的。没有作出任何决定。'],
      foreign: ['没有作出决定', '此表单并非来自我们自己的页面。请重新打开链接并在那里答复。'],
      failed: ['没有成功', ''],
      approved: ['已批准一次', '再次发送时即执行。可以关闭此窗口。'],
      denied: ['已拒绝', '这次调用不会执行。可以关闭此窗口。'],
    },
    problems: {
      undecided: '请选择其中之一。',
      keyNeeded: '请出示身份：具有批准权限的密钥。',
      wrong: '此密钥无法使用。请检查是否缺少字符。',
      mayNot: '此密钥无权批准调用。',
      tooMany: '来自此地址的错误密钥过多。请稍候再试。',
    },
    tool: '工具',
    caller: '申请者',
    profile: '配置档',
    rule: '规则',
    reason: '需要批准的原因',
    until: '答复截止时间',
    arguments: '将要发送的内容',
    cut: (bytes) => `共 ${bytes} 字节，只显示开头。`,
    away: '参数在另一个进程的内存中：在此只能拒绝。',
    note: '备注（会告知调用方）',
    once: '批准一次',
    deny: '拒绝',
    exactly: '批准只对这次调用有效，且只有一次。机密已遮盖，看不见的字符已写出。',
    key: '你的 Pegboard 密钥',
    signIn: '使用你的账号登录',
    signedIn: '答复者：',
  },
}
