import { type StoryResult, toStoryResult } from './client.js'

export type RawEra = 'legacy' | 'modern'

/** A message as it came off the wire. */
export type RawMessage = any

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
}

export const initializeParams = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
}

/** A request as this era writes it. */
export const rawRequest = (
  era: RawEra,
  id: number | string,
  method: string,
  params: Record<string, unknown>,
  progressToken?: string,
) => {
  const meta = { ...(era === 'modern' ? modernMeta : {}), ...(progressToken === undefined ? {} : { progressToken }) }
  return { jsonrpc: '2.0', id, method, params: { ...params, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) } }
}

/** The result of an answer, or its error thrown. */
export const resultOf = (message: RawMessage): RawMessage => {
  if (message?.error) throw Object.assign(new Error(message.error.message), { code: message.error.code })
  if (message?.result === undefined) throw new Error('The request was not answered.')
  return message.result
}

export const storyResultOf = (message: RawMessage): StoryResult => toStoryResult(resultOf(message))

export const isListChanged = (message: RawMessage): boolean => message.method === 'notifications/tools/list_changed'
