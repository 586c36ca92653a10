import { sendBody } from '../../http/answer.js'
import { type Language, languageOf } from '../../http/language.js'
import { pageHeaders } from '../../http/page-headers.js'
import type { HttpExchange } from '../../http/route.js'

/** A text for every language that pages have. */
export type PageText = Readonly<Record<Language, string>>

/** Where one may go from a page. */
export interface PageLink {
  /** Relative to the page: what stands before our paths is a proxy's business. */
  readonly href: string
  readonly text: PageText
}

/** A page of a few words: no script, no style, nothing loaded, since its address may hold a code. */
export const sendPage = (
  exchange: HttpExchange,
  status: number,
  title: PageText,
  text: PageText | string,
  link?: PageLink | undefined,
): void => {
  const language = languageOf(exchange.request.headers)
  const way = link === undefined ? '' : `<p><a href="${link.href}">${escaped(link.text[language])}</a></p>`
  const html = page(language, title[language], typeof text === 'string' ? text : text[language], way)
  sendBody(exchange.response, status, 'text/html; charset=utf-8', html, {
    ...pageHeaders,
    'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
  })
}

const languages: Readonly<Record<Language, string>> = { 'en-US': 'en', 'zh-Hans': 'zh-Hans' }

const page = (language: Language, title: string, text: string, way: string): string =>
  `<!doctype html><html lang="${languages[language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${way}</main></html>`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
