import type { IncomingHttpHeaders } from 'node:http'

export type Language = 'en-US' | 'zh-Hans'

/** `X-Language` as document 004 has it, else the best of `Accept-Language`, else English. */
export const languageOf = (headers: IncomingHttpHeaders): Language => {
  const named = headers['x-language']
  if (typeof named === 'string') return toLanguage(named) ?? 'en-US'
  const accepted = headers['accept-language']
  return accepted === undefined ? 'en-US' : best(accepted.slice(0, longestHeader))
}

const longestHeader = 1024

const best = (header: string): Language => {
  let chosen: Language = 'en-US'
  let quality = 0
  for (const part of header.split(',')) {
    const [tag = '', ...parameters] = part.split(';')
    const language = toLanguage(tag)
    const weight = qualityOf(parameters)
    if (!language || weight <= quality) continue
    chosen = language
    quality = weight
  }
  return chosen
}

const qualityOf = (parameters: readonly string[]): number => {
  const given = parameters
    .map((parameter) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1])
    .find(Boolean)
  return given === undefined ? 1 : Number(given)
}

const toLanguage = (tag: string): Language | undefined => {
  const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0]
  return primary === 'zh' ? 'zh-Hans' : primary === 'en' ? 'en-US' : undefined
}
