import { isGatewayError } from '../../errors.js'
import { languageOf } from '../../http/language.js'
import type { HttpExchange, Route } from '../../http/route.js'
import { signInReason } from '../../http/sign-in-words.js'
import { type PageText, sendPage } from './plain-page.js'

/** The way to the identity provider and back, as the console takes it. */
export interface SignInWay {
  begin(exchange: HttpExchange, next: string): Promise<URL>
  /** Signs the browser in that came back; undefined where nothing was granted to whoever it is. */
  finish(exchange: HttpExchange): Promise<{ readonly next: string } | undefined>
  /** Where others reach us, without a last slash. */
  base(): string
}

export const signInPath = '/session/sign-in'
export const signedInPath = '/session/callback'

const token = /^[A-Za-z0-9_.~-]{1,2048}$/

/** Where one may go on after a sign-in: these and nothing else, whatever an address says. */
const places = {
  console: () => '/',
  me: () => '/#/me',
  connect: (t: string) => (token.test(t) ? `/connect?t=${t}` : '/#/me'),
  approve: (t: string) => (token.test(t) ? `/approve/${t}` : '/'),
  approvals: (t: string) => (token.test(t) ? `/#/approvals/${t}` : '/#/approvals'),
} as const

const placeOf = (query: URLSearchParams): string => {
  const next = query.get('next') ?? ''
  return (Object.hasOwn(places, next) ? places[next as keyof typeof places] : places.console)(query.get('t') ?? '')
}

/** Two pages that show nothing where all goes well: the browser goes on to the provider, and comes back to the console. */
export const consoleSignInRoutes = (way: SignInWay): readonly Route[] => {
  const guarded = async (exchange: HttpExchange, work: () => Promise<void>): Promise<void> => {
    // A look ahead by a proxy or a mail scanner must not use up what works once.
    if (exchange.method === 'HEAD') return sendPage(exchange, 405, failed, '')
    try {
      await work()
    } catch (error) {
      if (!isGatewayError(error)) throw error
      const reason = signInReason(languageOf(exchange.request.headers), error.message)
      sendPage(exchange, error.code === 'ISSUER_UNAVAILABLE' ? 503 : 403, failed, reason)
    }
  }
  const page = { method: 'GET', right: 'open', page: true, ownHeaders: true } as const
  return [
    {
      ...page,
      path: signInPath,
      handle: (exchange) =>
        guarded(exchange, async () => leave(exchange, (await way.begin(exchange, placeOf(exchange.query))).href)),
    },
    {
      ...page,
      path: signedInPath,
      handle: (exchange) =>
        guarded(exchange, async () => {
          const done = await way.finish(exchange)
          if (done) leave(exchange, `${way.base()}${done.next}`)
          else sendPage(exchange, 403, failed, nothingGranted)
        }),
    },
  ]
}

const leave = ({ response }: HttpExchange, url: string): void => {
  response.writeHead(303, { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).end()
}

const failed: PageText = { 'en-US': 'The sign-in did not work.', 'zh-Hans': '登录没有成功。' }
const nothingGranted: PageText = {
  'en-US': 'The identity provider knows you, but nothing here was granted to you (auth.grants). Ask an administrator.',
  'zh-Hans': '身份提供方认识你，但这里没有授予你任何权限（auth.grants）。请联系管理员。',
}
