import type { Tool } from '../../model/tool.js'
import type { FieldName } from '../index/fields.js'
import { fieldTexts } from '../index/fields.js'

/** The parts of a tool that the model weighs apart. Their weights are learned and stored with the table. */
export const modelParts = ['name', 'source', 'description', 'parameter', 'more'] as const

export type ModelPart = (typeof modelParts)[number]

/** What a field counts as. Training text has no tags, examples or parameter texts, so those share a part. */
const partOf: Readonly<Record<FieldName, ModelPart>> = {
  name: 'name',
  title: 'name',
  alias: 'name',
  source: 'source',
  description: 'description',
  example: 'description',
  parameter: 'parameter',
  tag: 'more',
  category: 'more',
  'parameter text': 'more',
  translation: 'more',
}

// Between parts, and between the texts of one; neither occurs in a text that a reader of terms keeps.
const partMark = '\u001e'
const textMark = ' \n'
const longestPart = 2_000

/** A tool as the built-in model reads it: one text, so that its hash names the vector, with the parts kept apart. */
export const modelText = (tool: Tool): string => {
  const parts = new Map<ModelPart, string[]>(modelParts.map((part) => [part, []]))
  for (const { field, texts } of fieldTexts(tool)) parts.get(partOf[field])?.push(...texts)
  return [...parts.values()]
    .map((texts) => texts.join(textMark).replaceAll(partMark, ' ').slice(0, longestPart))
    .join(partMark)
}

/** The parts of a text made by `modelText`, in the order of `modelParts`; a plain text is all description. */
export const splitModelText = (text: string): readonly string[] => {
  const parts = text.split(partMark)
  return parts.length === modelParts.length ? parts : ['', '', text, '', '']
}
