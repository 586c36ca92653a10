import { sendBody } from '../../http/answer.js'
import type { Language } from '../../http/language.js'
import { plainPageHeaders, plainStyle } from '../../http/page-headers.js'
import type { HttpExchange } from '../../http/route.js'

/** Text that may stand in a page, made by `html` alone. */
export class Markup {
  constructor(readonly text: string) {}
}

/** A piece of a page. Whatever is put into it is text, unless it was made here too. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | Markup | readonly Markup[])[]
): Markup =>
  new Markup(parts.map((part, index) => part + (index < values.length ? textOf(values[index]!) : '')).join(''))

const textOf = (value: string | Markup | readonly Markup[]): string => {
  if (typeof value === 'string') return escaped(value)
  return value instanceof Markup ? value.text : value.map(({ text }) => text).join('')
}

const escaped = (text: string): string => text.replace(/[&<>"'`]/g, (character) => `&#${character.codePointAt(0)};`)

export interface PageContent {
  readonly language: Language
  readonly title: string
  readonly body: Markup
}

/** The form may lead on to wherever somebody is sent next, which browsers hold against `form-action` too. */
const headers: Readonly<Record<string, string>> = {
  ...plainPageHeaders("'self' https: http: cursor: vscode: vscode-insiders: windsurf:"),
  Pragma: 'no-cache',
}

const languages: Readonly<Record<Language, string>> = { 'en-US': 'en', 'zh-Hans': 'zh-Hans' }

export const sendPage = (
  { response }: HttpExchange,
  status: number,
  { language, title, body }: PageContent,
  more?: Readonly<Record<string, string>>,
): void => {
  const page = html`<!doctype html><html lang="${languages[language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${new Markup(plainStyle)}</style><main><p class="brand">Pegboard</p><h1>${title}</h1>${body}</main></html>`
  sendBody(response, status, 'text/html; charset=utf-8', page.text, { ...headers, ...more })
}

/** Sends the browser on. 303, so that what it sent us is not sent there. */
export const sendTo = ({ response }: HttpExchange, address: string): void => {
  response.writeHead(303, {
    Location: address,
    'Content-Length': 0,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end()
}
