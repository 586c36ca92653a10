import { isGatewayError } from '../../errors.js'
import { sendBody } from '../../http/answer.js'
import { type Language, languageOf } from '../../http/language.js'
import { pageHeaders } from '../../http/page-headers.js'
import type { HttpExchange, Route } from '../../http/route.js'

/** What takes up the sign-in that a browser brings back. */
export interface SignInReturn {
  finish(
    state: string,
    back: {
      readonly code: string | undefined
      readonly iss: string | undefined
      readonly error: string | undefined
    },
  ): Promise<{ readonly source: string }>
}

const longestField = 8192

/**
 * Where a browser comes back to after somebody signed in elsewhere. Open to everybody, since a browser brings no key:
 * what lets it in is the state, which nobody can guess and which works once.
 */
export const signInCallback = (signIns: SignInReturn, path: string): Route => ({
  method: 'GET',
  path,
  right: 'open',
  page: true,
  ownHeaders: true,
  handle: async (exchange) => {
    const language = languageOf(exchange.request.headers)
    // A look ahead by a proxy or a mail scanner must not use up what works once.
    if (exchange.method === 'HEAD') return send(exchange, 405, page(language, texts[language].failed, ''))
    try {
      const { source } = await signIns.finish(field(exchange, 'state') ?? '', {
        code: field(exchange, 'code'),
        iss: field(exchange, 'iss'),
        error: field(exchange, 'error'),
      })
      send(exchange, 200, page(language, texts[language].done(source), texts[language].close))
    } catch (error) {
      if (!isGatewayError(error)) throw error
      send(exchange, 400, page(language, texts[language].failed, error.message))
    }
  },
})

/** A field that is there once; given twice, it is as good as not given, since two readers could take two values. */
const field = ({ query }: HttpExchange, name: string): string | undefined => {
  const [value, ...more] = query.getAll(name)
  return value === undefined || more.length > 0 || value.length > longestField ? undefined : value
}

const texts = {
  'en-US': {
    done: (source: string) => `“${source}” is signed in.`,
    close: 'You can close this window. The source starts by itself.',
    failed: 'The sign-in did not work.',
  },
  'zh-Hans': {
    done: (source: string) => `“${source}” 已登录。`,
    close: '可以关闭此窗口。来源会自动启动。',
    failed: '登录没有成功。',
  },
} as const

const languages: Readonly<Record<Language, string>> = { 'en-US': 'en', 'zh-Hans': 'zh-Hans' }

// No script, no style, nothing loaded: the address of this page holds a code.
const page = (language: Language, title: string, text: string): string =>
  `<!doctype html><html lang="${languages[language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><h1>${escaped(title)}</h1><p>${escaped(text)}</p></html>`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

const send = ({ response }: HttpExchange, status: number, html: string): void =>
  sendBody(response, status, 'text/html; charset=utf-8', html, {
    ...pageHeaders,
    'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
  })
