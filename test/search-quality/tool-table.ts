import type { Tool } from '../../src/model/tool.js'

/** A table as text: a row a line, its parts between bars. */
export const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((part) => part.trim()))

/** What stands between commas. */
export const namesIn = (text = ''): readonly string[] => text.split(', ').filter(Boolean)

/** Tools of `source | name | description | parameters`. */
export const toolsOf = (text: string): readonly Tool[] =>
  rowsOf(text).map(([source = '', name = '', description = '', parameters]) => ({
    id: name,
    name,
    namespace: source,
    source,
    tags: [],
    definition: {
      name,
      description,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(namesIn(parameters).map((parameter) => [parameter, { type: 'string' }])),
      },
    },
  }))
