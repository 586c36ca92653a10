import { describe, expect, it } from 'vitest'
import { readTools } from './read-tools.js'

describe('a list of tools from a stranger', () => {
  it('holds one schema for all tools that take the same', () => {
    const schema = (type: string) => ({ type: 'object', properties: { text: { type } } })
    const { tools } = readTools(
      [
        { name: 'one', inputSchema: schema('string') },
        { name: 'two', description: 'Another', inputSchema: schema('string') },
        { name: 'three', inputSchema: schema('number') },
      ],
      'test',
    )
    const [one, two, three] = tools.map(({ definition }) => definition)
    expect(two).toEqual({ name: 'two', description: 'Another', inputSchema: schema('string') })
    expect(Object.keys(two!)).toEqual(['name', 'inputSchema', 'description'])
    expect(two!.inputSchema).toBe(one!.inputSchema)
    expect(three!.inputSchema).toEqual(schema('number'))
  })

  it('reports what can be read and names what cannot', () => {
    const { tools, problems } = readTools([{ name: 'fine' }, { description: 'nameless' }, 7], 'test')
    expect(tools.map(({ definition }) => definition.name)).toEqual(['fine'])
    expect(problems?.map(({ tool, error }) => [tool, error.code])).toEqual([
      ['#1', 'TOOL_INVALID'],
      ['#2', 'TOOL_INVALID'],
    ])
  })
})
