import { sendBody } from '../../http/answer.js'
import { type Language, languageOf } from '../../http/language.js'
import { plainPageHeaders, plainStyle } from '../../http/page-headers.js'
import type { HttpExchange } from '../../http/route.js'

/** A text for every language that pages have. */
export type PageText = Readonly<Record<Language, string>>

/** Where one may go from a page. */
export interface PageLink {
  /** Relative to the page: what stands before our paths is a proxy's business. */
  readonly href: string
  readonly text: PageText
}

/** A page of a few words: no script, nothing loaded, since its address may hold a code. */
export const sendPage = (
  exchange: HttpExchange,
  status: number,
  title: PageText,
  text: PageText | string,
  link?: PageLink | undefined,
): void => {
  const language = languageOf(exchange.request.headers)
  const said = typeof text === 'string' ? text : text[language]
  const way =
    link === undefined ? '' : `<p><a class="button" href="${link.href}">${escaped(link.text[language])}</a></p>`
  sendMarkup(exchange, status, title[language], `${paragraph(said)}${way}`, "'none'")
}

/** The same with what stands in it as HTML; `forms` is where its forms may lead. */
export const sendMarkup = (
  exchange: HttpExchange,
  status: number,
  title: string,
  body: string,
  forms: "'none'" | "'self'",
): void => {
  const language = languageOf(exchange.request.headers)
  const html = `<!doctype html><html lang="${languages[language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${plainStyle}</style><main><p class="brand">Pegboard</p><h1>${escaped(title)}</h1>${body}</main></html>`
  sendBody(exchange.response, status, 'text/html; charset=utf-8', html, plainPageHeaders(forms))
}

const languages: Readonly<Record<Language, string>> = { 'en-US': 'en', 'zh-Hans': 'zh-Hans' }

export const paragraph = (text: string): string => (text === '' ? '' : `<p>${escaped(text)}</p>`)

/** Text that may stand in a page. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
