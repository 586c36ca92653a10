import { isRecord } from '../json.js'
import type { ContentBlock, ToolResult } from '../result.js'
import { fitJson } from './fit-json.js'
import { fitText } from './fit-text.js'

/**
 * All that a result says as one text, for links that read one text and nothing else (X11). Several JSON blocks become
 * one JSON list, as servers that send one block per item mean it; anything else stands below each other.
 */
export const oneText = ({ content, structuredContent }: ToolResult): string => {
  const parts = content.map(blockText).filter((text) => text !== '')
  if (parts.length === 0) return structuredContent === undefined ? '' : JSON.stringify(structuredContent)
  if (parts.length > 1 && parts.every((part) => parseStructure(part) !== undefined)) return `[${parts.join(',')}]`
  return parts.join('\n')
}

/** `text` within `maxBytes`: JSON stays JSON, text ends between words. Undefined when not even a note of the cut fits. */
export const fitTextOrJson = (text: string, maxBytes: number): string | undefined => {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const parsed = parseStructure(text)
  if (parsed === undefined) return fitText(text, maxBytes)
  const fitted = fitJson(parsed, maxBytes)
  return fitted === undefined ? undefined : JSON.stringify(fitted)
}

/** The object or list this text is, or undefined: a bare number or string is text like any other. */
export const parseStructure = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const blockText = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
      return block.text ?? ''
    case 'resource':
      return resourceText(block.resource)
    case 'resource_link':
      return [block.title ?? block.name, block.uri].filter((part) => typeof part === 'string').join(': ')
    default:
      return `[${block.type} left out]`
  }
}

const resourceText = (resource: unknown): string => {
  if (!isRecord(resource)) return '[resource left out]'
  return typeof resource.text === 'string' ? resource.text : `[resource left out: ${String(resource.uri ?? '')}]`
}
