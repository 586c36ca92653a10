import { isGatewayError } from '../../errors.js'
import { type Language, languageOf } from '../../http/language.js'
import type { HttpExchange, Route } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import { escaped, paragraph, sendMarkup } from './plain-page.js'

/** One source at which a person signs in for themselves, as they see it. */
export interface PersonalSource {
  readonly source: string
  readonly type: string
  readonly server: string
  readonly scope?: string | undefined
  readonly help?: string | undefined
}

/** What the page behind a link asks for. */
export interface ConnectDesk {
  /** Who this browser is signed in as; undefined for nobody. */
  visitor(exchange: HttpExchange): Promise<Caller | undefined>
  /** Where one signs in and comes back to this link. */
  signInAt(link: string): string
  /** Whose link it is; undefined where it is none, too old or used. */
  look(link: string): { readonly identity: string; readonly source: string } | undefined
  describe(identity: string, source: string): Promise<PersonalSource | undefined>
  /** Uses the link up, and says where the source signs people in; undefined where somebody was quicker. */
  begin(link: string, visitor: Caller): Promise<string | undefined>
  /** Uses the link up, and keeps the key that was pasted. False where somebody was quicker. */
  paste(link: string, visitor: Caller, key: string): Promise<boolean>
  /** Writes down that somebody opened a link that is not theirs. */
  refused(visitor: Caller, source: string): void
}

export const connectPath = '/connect'
const beginPath = `${connectPath}/begin`

const longestLink = 2048
const mostFormBytes = 16 * 1024

/**
 * The page behind a link by which people sign in at a source. It asks who is there before it does anything, and only the
 * person whose call it was gets on: a link that was sent to somebody else would give them away (MCP, URL elicitation).
 */
export const connectRoutes = (desk: ConnectDesk): readonly Route[] => {
  const guarded =
    (work: (exchange: HttpExchange, link: string, visitor: Caller, found: PersonalSource) => Promise<void>) =>
    async (exchange: HttpExchange): Promise<void> => {
      // A look ahead by a proxy or a mail scanner must not use up what works once.
      if (exchange.method === 'HEAD') return send(exchange, 405, 'gone', '')
      try {
        const link = await linkOf(exchange)
        const meant = link === undefined ? undefined : desk.look(link)
        if (link === undefined || !meant) return send(exchange, 400, 'gone', '')
        const visitor = await desk.visitor(exchange)
        if (!visitor) return leave(exchange, desk.signInAt(link))
        if (visitor.identity?.id !== meant.identity) {
          desk.refused(visitor, meant.source)
          return send(exchange, 403, 'notYours', '')
        }
        const found = await desk.describe(meant.identity, meant.source)
        if (!found) return send(exchange, 404, 'gone', '')
        await work(exchange, link, visitor, found)
      } catch (error) {
        if (!isGatewayError(error)) throw error
        send(exchange, 400, 'failed', paragraph(error.message))
      }
    }
  const page = { right: 'open', page: true, ownHeaders: true } as const
  return [
    {
      ...page,
      method: 'GET',
      path: connectPath,
      handle: guarded(async (exchange, link, visitor, found) =>
        send(exchange, 200, 'ask', bodyOf(languageOf(exchange.request.headers), found, link, visitor)),
      ),
    },
    {
      ...page,
      method: 'GET',
      path: beginPath,
      handle: guarded(async (exchange, link, visitor, { type }) => {
        const url = type === 'key' ? undefined : await desk.begin(link, visitor)
        if (url === undefined) return send(exchange, 400, 'gone', '')
        leave(exchange, url)
      }),
    },
    {
      ...page,
      method: 'POST',
      path: connectPath,
      handle: guarded(async (exchange, link, visitor, { type }) => {
        const key = (await fieldsOf(exchange)).get('key')?.trim() ?? ''
        if (type !== 'key' || key === '') return send(exchange, 400, 'noKey', '')
        if (!(await desk.paste(link, visitor, key))) return send(exchange, 400, 'gone', '')
        send(exchange, 200, 'done', '')
      }),
    },
  ]
}

/** Given once; twice is as good as not given, since two readers could take two values. */
const linkOf = async (exchange: HttpExchange): Promise<string | undefined> => {
  const fields = exchange.method === 'POST' ? await fieldsOf(exchange) : exchange.query
  const [link, ...more] = fields.getAll('t')
  return link === undefined || more.length > 0 || link.length > longestLink ? undefined : link
}

const fieldsOf = async (exchange: HttpExchange): Promise<URLSearchParams> =>
  new URLSearchParams((await exchange.readBody(mostFormBytes)).toString('utf8'))

const bodyOf = (language: Language, found: PersonalSource, link: string, visitor: Caller): string => {
  const told = texts[language]
  const { name, email } = visitor.identity ?? {}
  const rows: readonly (readonly [string, string | undefined])[] = [
    [told.source, found.source],
    [told.server, found.server],
    [told.scopes, found.scope],
    [told.you, name ?? email ?? visitor.id],
  ]
  const facts = rows.flatMap(([label, value]) =>
    value === undefined ? [] : [`<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`],
  )
  const help =
    found.help === undefined ? '' : `<p><a href="${escaped(found.help)}" rel="noreferrer">${told.help}</a></p>`
  const way =
    found.type === 'key'
      ? `<form method="post" action=".${connectPath}"><input type="hidden" name="t" value="${escaped(link)}"><label for="key">${told.key}</label><input id="key" type="password" name="key" autocomplete="off" required autofocus maxlength="8192">${help}<button>${told.keep}</button></form>`
      : `<p><a class="button" href=".${beginPath}?t=${escaped(encodeURIComponent(link))}">${told.go}</a></p>`
  return `<dl>${facts.join('')}</dl><p>${told.why}</p>${way}`
}

type Told = 'ask' | 'gone' | 'notYours' | 'failed' | 'noKey' | 'done'

const texts = {
  'en-US': {
    ask: ['Sign in for yourself', ''],
    gone: ['This link is not good', 'It is too old, was used, or is none of ours. Call the tool again to get another.'],
    notYours: [
      'This link is for somebody else',
      'It was made for the person whose call it was. Nothing was stored. If somebody sent it to you, tell whoever runs this server.',
    ],
    failed: ['The sign-in did not work.', ''],
    noKey: ['There is no key here', 'Go back and paste the key.'],
    done: ['The key is kept.', 'You can close this window: a call that waits goes on, or call the tool again.'],
    source: 'Source',
    server: 'Signs in at',
    scopes: 'Asks for',
    you: 'For you',
    why: 'From then on your own calls to this source are made in your name, and nobody else’s are.',
    go: 'Sign in',
    key: 'Your key',
    keep: 'Keep it',
    help: 'Where to find the key',
    back: 'To your page',
  },
  'zh-Hans': {
    ask: ['以本人身份登录', ''],
    gone: ['此链接无效', '链接已过期、已使用或不是本网关的。请重新调用工具以获取新链接。'],
    notYours: [
      '此链接属于其他人',
      '链接是为发起调用的人准备的，未保存任何内容。如果是别人发给您的，请告知服务管理员。',
    ],
    failed: ['登录没有成功。', ''],
    noKey: ['没有填写密钥', '请返回并粘贴密钥。'],
    done: ['密钥已保存。', '可以关闭此窗口：等待中的调用会继续，也可以重新调用工具。'],
    source: '来源',
    server: '登录位置',
    scopes: '请求的权限',
    you: '登录者',
    why: '此后您对该来源的调用将以您本人的身份进行，不会用于其他人。',
    go: '登录',
    key: '您的密钥',
    keep: '保存',
    help: '在哪里找到密钥',
    back: '前往您的页面',
  },
} as const satisfies Record<Language, Record<Told, readonly [string, string]> & Record<string, unknown>>

const leave = ({ response }: HttpExchange, url: string): void => {
  response.writeHead(303, { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).end()
}

/** What is theirs, from wherever they are; what stands before our paths is a proxy's business. */
const send = (exchange: HttpExchange, status: number, told: Told, body: string): void => {
  const said = texts[languageOf(exchange.request.headers)]
  const [title, text] = said[told]
  const back = told === 'ask' ? '' : `<p><a class="button" href="${pageFrom(exchange)}">${said.back}</a></p>`
  sendMarkup(exchange, status, title, `${paragraph(text)}${body}${back}`, "'self'")
}

const pageFrom = ({ path }: HttpExchange): string => (path === beginPath ? '../me' : './me')
