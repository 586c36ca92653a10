import { describe, expect, it } from 'vitest'
import { createBuiltInEmbeddings } from '../model/built-in.js'
import { createSearch } from '../search.js'
import { agreement } from './action.js'

describe('agreement of what is asked and what a tool does', () => {
  it.each([
    ['the same', ['create'], 'create', 1],
    ['one of several', ['get', 'send'], 'send', 1],
    ['nearly the same', ['list'], 'get', 0.6],
    ['nearly the same, the other way round', ['get'], 'list', 0.6],
    ['to read, and it writes', ['get', 'list'], 'update', -1],
    ['to create, and it deletes', ['create'], 'delete', -1],
    ['to create, and it reads', ['create'], 'list', -1],
    ['to delete, and it does anything else', ['delete'], 'compute', -1],
    ['to update, and it deletes', ['update'], 'delete', -1],
    ['to delete or to update, and it deletes', ['update', 'delete'], 'delete', 1],
    ['to send, and it creates', ['send'], 'create', 0],
    ['two things, of which it contradicts one', ['get', 'create'], 'update', 0],
    ['nothing', [], 'delete', 0],
    ['something of a tool that says nothing', ['get'], undefined, 0],
  ] as const)('is asked %s', (_what, asked, deed, expected) => {
    expect(agreement(new Set(asked), deed)).toBe(expected)
  })

  it('decides between two tools that say the same but for the verb', () => {
    const search = createSearch({ embedding: createBuiltInEmbeddings() })
    const tool = (name: string, description: string) => ({
      id: name,
      name,
      namespace: '',
      source: '',
      tags: [],
      definition: { name, description, inputSchema: {} },
    })
    const added = [
      tool('delete_pull_request', 'Delete a pull request'),
      tool('create_pull_request', 'Create a pull request'),
    ]
    search.apply({ added, changed: [], removed: [] })
    expect(search.searchSync('open a pull request').results[0]!.tool.name).toBe('create_pull_request')
    expect(search.searchSync('删掉这个拉取请求').results[0]!.tool.name).toBe('delete_pull_request')
  })
})
