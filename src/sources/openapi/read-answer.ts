import type { JsonValue } from '../../model/json.js'
import type { ContentBlock, ToolResult } from '../../model/result.js'
import type { FetchedAnswer } from '../guarded-fetch.js'

const longestErrorText = 4096

/** An HTTP answer as a tool's answer: data as data, text as text, pictures as pictures; a refusal as a "no". */
export const readAnswer = ({ status, headers, body }: FetchedAnswer): ToolResult => {
  const type = String([headers['content-type']].flat()[0] ?? '').toLowerCase()
  if (status >= 300) return refusal(status, type, body)
  if (body.length === 0) return { content: [{ type: 'text', text: `HTTP ${status}, without content.` }] }
  const json = /[/+]json\b/.test(type) ? parsed(body) : undefined
  if (json !== undefined) return { content: [{ type: 'text', text: JSON.stringify(json) }], ...structured(json) }
  return { content: [blockOf(type, body)] }
}

/** A redirect is told, not followed: it would lead past the check of where we may go. */
const refusal = (status: number, type: string, body: Buffer): ToolResult => {
  const shown = /^(?:text\/(?!html)|application\/(?:[\w.-]+\+)?json)/.test(type)
    ? body.toString('utf8').slice(0, longestErrorText)
    : ''
  const text = `HTTP ${status}${status < 400 ? ', a redirect, which is not followed' : ''}${shown === '' ? '' : `: ${shown}`}`
  return { content: [{ type: 'text', text }], isError: true }
}

const parsed = (body: Buffer): JsonValue | undefined => {
  try {
    return JSON.parse(body.toString('utf8')) as JsonValue
  } catch {
    return undefined
  }
}

const structured = (value: JsonValue): Pick<ToolResult, 'structuredContent'> =>
  typeof value === 'object' && value !== null ? { structuredContent: value } : {}

const blockOf = (type: string, body: Buffer): ContentBlock => {
  const mimeType = type.split(';', 1)[0]!.trim()
  if (mimeType === '' || /^text\/|[/+](?:json|xml|yaml|javascript)$/.test(mimeType))
    return { type: 'text', text: body.toString('utf8') }
  const data = body.toString('base64')
  if (mimeType.startsWith('image/') || mimeType.startsWith('audio/'))
    return { type: mimeType.split('/', 1)[0]!, data, mimeType }
  return { type: 'resource', resource: { uri: 'response:body', mimeType, blob: data } }
}
