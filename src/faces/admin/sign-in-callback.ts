import { isGatewayError } from '../../errors.js'
import type { HttpExchange, Route } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import { type PageLink, type PageText, sendPage } from './plain-page.js'

/** What takes up the sign-in that a browser brings back. */
export interface SignInReturn {
  finish(
    state: string,
    back: {
      readonly code: string | undefined
      readonly iss: string | undefined
      readonly error: string | undefined
    },
    /** Whose browser it is, where it is known: what somebody began for themselves, nobody else ends. */
    by?: Caller | undefined,
  ): Promise<{ readonly source: string }>
}

const longestField = 8192

/**
 * Where a browser comes back to after somebody signed in elsewhere. Open to everybody, since a browser brings no key:
 * what lets it in is the state, which nobody can guess and which works once.
 */
export const signInCallback = (
  signIns: SignInReturn,
  path: string,
  visitor: (exchange: HttpExchange) => Promise<Caller | undefined> = async () => undefined,
): Route => ({
  method: 'GET',
  path,
  right: 'open',
  page: true,
  ownHeaders: true,
  handle: async (exchange) => {
    // A look ahead by a proxy or a mail scanner must not use up what works once.
    if (exchange.method === 'HEAD') return sendPage(exchange, 405, failed, '')
    try {
      const by = await visitor(exchange)
      const told = field(exchange, 'done')
      if (by && told !== undefined) return sendPage(exchange, 200, done(told), close, theirPage)
      const back = { code: field(exchange, 'code'), iss: field(exchange, 'iss'), error: field(exchange, 'error') }
      const { source } = await signIns.finish(field(exchange, 'state') ?? '', back, by)
      if (by) leaveCode(exchange, source)
      else sendPage(exchange, 200, done(source), close)
    } catch (error) {
      if (!isGatewayError(error)) throw error
      sendPage(exchange, 400, failed, error.message)
    }
  },
})

/** On to the same page without the code: nobody finds it in the history of the browser, used up as it is. */
const leaveCode = ({ response }: HttpExchange, source: string): void => {
  const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  response.writeHead(303, { Location: `?done=${encodeURIComponent(source)}`, ...headers }).end()
}

/** A field that is there once; given twice, it is as good as not given, since two readers could take two values. */
const field = ({ query }: HttpExchange, name: string): string | undefined => {
  const [value, ...more] = query.getAll(name)
  return value === undefined || more.length > 0 || value.length > longestField ? undefined : value
}

const done = (source: string): PageText => ({
  'en-US': `“${source}” is signed in.`,
  'zh-Hans': `“${source}” 已登录。`,
})
const close: PageText = {
  'en-US': 'You can close this window. What waited for it goes on by itself.',
  'zh-Hans': '可以关闭此窗口。等待登录的来源或调用会自动继续。',
}
const theirPage: PageLink = {
  href: '../me',
  text: { 'en-US': 'Back to your page', 'zh-Hans': '返回您的页面' },
}
const failed: PageText = { 'en-US': 'The sign-in did not work.', 'zh-Hans': '登录没有成功。' }
