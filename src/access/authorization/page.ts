import { hash } from 'node:crypto'
import { sendBody } from '../../http/answer.js'
import type { Language } from '../../http/language.js'
import { pageHeaders } from '../../http/page-headers.js'
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

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}h1{font-size:1.4rem}dt{color:#555;margin-top:.8rem}dd{margin:0;overflow-wrap:anywhere}.warning{border-left:.3rem solid #b45309;padding:.4rem .8rem;background:#fff7ed}label{display:block;margin:1rem 0 .3rem}input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem}button,a.button{font:inherit;padding:.5rem 1.2rem;margin:1.2rem .6rem 0 0}@media(prefers-color-scheme:dark){body{color:#eee;background:#181818}dt{color:#aaa}.warning{background:#3a2a10}}'

/**
 * Nothing is run, nothing is loaded, nobody puts it in a frame. The form may lead on to wherever somebody is sent next, which
 * browsers hold against `form-action` too; the referrer is kept for ourselves, since without one a browser hides the origin
 * of a form as well.
 */
const headers: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'self' https: http: cursor: vscode: vscode-insiders: windsurf:; frame-ancestors 'none'`,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
}

const languages: Readonly<Record<Language, string>> = { 'en-US': 'en', 'zh-Hans': 'zh-Hans' }

export const sendPage = (
  { response }: HttpExchange,
  status: number,
  { language, title, body }: PageContent,
  more?: Readonly<Record<string, string>>,
): void => {
  const page = html`<!doctype html><html lang="${languages[language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${new Markup(style)}</style><h1>${title}</h1>${body}</html>`
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
