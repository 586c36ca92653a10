import { describe, expect, it } from 'vitest'
import type { ToolSpec } from '../../model/tool.js'
import { createRegisteredSource, type Keeping } from './registered.js'

const spec = (name: string, description = name): ToolSpec => ({
  definition: { name, description, inputSchema: { type: 'object' } },
})

/** A keeping whose writes wait to be let through. */
const slowKeeping = () => {
  let finish: (error?: Error) => void = () => {}
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      finish = (error) => (error ? reject(error) : resolve())
    })
  const keeping: Keeping = { save: wait, delete: wait }
  return { keeping, finish: (error?: Error) => finish(error) }
}

describe('what others register', () => {
  it('comes and goes as it is kept', () => {
    const source = createRegisteredSource()
    source.follow([spec('a'), spec('b')], [])
    expect([source.has('a'), source.has('b')]).toEqual([true, true])
    source.follow([], ['a', 'never'])
    expect([source.has('a'), source.has('b')]).toEqual([false, true])
  })

  it('does not bring back what we take away at the same moment', async () => {
    const { keeping, finish } = slowKeeping()
    const source = createRegisteredSource([spec('a')], { keeping })
    const removed = source.remove('a')
    source.follow([spec('a', 'as it was before')], [])
    finish()
    expect(await removed).toBe(true)
    expect(source.has('a')).toBe(false)
  })

  it('is there when our own attempt came second', async () => {
    const { keeping, finish } = slowKeeping()
    const source = createRegisteredSource([], { keeping })
    const added = source.add([spec('a', 'ours')])
    source.follow([spec('a', 'theirs')], [])
    finish(new Error('taken'))
    await expect(added).rejects.toThrow('taken')
    expect(source.has('a')).toBe(true)
  })

  it('and takes away before we have read it does not come by reading', () => {
    const source = createRegisteredSource('later')
    source.follow([], ['a'])
    source.bring([spec('a'), spec('b')], true)
    expect([source.has('a'), source.has('b')]).toEqual([false, true])
  })
})
