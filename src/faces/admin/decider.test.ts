import { describe, expect, it } from 'vitest'
import { namesOfKeys } from './decider.js'

describe('who decided (G11)', () => {
  it('is the name of a key where only its id was kept, and stays what it is otherwise', async () => {
    const named = await namesOfKeys({ list: async () => [{ id: '6b890160c885', name: 'admin' }] as never })
    expect(['key:6b890160c885', 'key:other', 'ann', 'first-seen', undefined].map(named)).toEqual([
      'admin',
      'key:other',
      'ann',
      'first-seen',
      undefined,
    ])
  })
})
