import type { Tool } from '../../model/tool.js'
import { fieldTexts } from '../index/fields.js'

const longestText = 2_000

/** What a tool is embedded as: its source, its name in words, what it says, and its parameters' names. */
export const toolText = (tool: Tool): string => {
  const texts = new Map(fieldTexts(tool).map(({ field, texts }) => [field, texts.join(', ')]))
  const head = [texts.get('source'), inWords(tool.name), texts.get('title')].filter(Boolean).join(': ')
  const more = [texts.get('alias'), texts.get('example'), texts.get('tag'), inWords(texts.get('parameter') ?? '')]
  return [`${head}: ${texts.get('description') ?? ''}`, ...more.filter(Boolean)].join('. ').slice(0, longestText)
}

const inWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-./]+/g, ' ')
