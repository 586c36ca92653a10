import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../storage/memory/memory-store.js'
import { createFourEyes } from './four-eyes.js'

const ann = { id: 'person:ann', name: 'Ann' }
const bob = { id: 'key:bob', name: 'bob' }

const start = (isOn = true, config = 'a') => {
  const documents = createMemoryStore().documents('registrants')
  const of = (more: Partial<Parameters<typeof createFourEyes>[0]> = {}) =>
    createFourEyes({ documents, isOn: () => isOn, config, now: () => 1, ...more })
  return { of, eyes: of() }
}

describe('four eyes', () => {
  it('keep whoever wrote a source from approving what it says, and nobody else', async () => {
    const { eyes } = start()
    await eyes.noteSource('github', ann)
    await expect(eyes.check('github', ann)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await expect(eyes.check('github', ann)).rejects.toThrow("'github' was registered by Ann, so somebody else")
    await eyes.check('github', bob)
    await eyes.check('other', ann)
  })

  it('follow the last who wrote it', async () => {
    const { eyes } = start()
    await eyes.noteSource('github', ann)
    await eyes.noteSource('github', bob)
    await eyes.check('github', ann)
    await expect(eyes.check('github', bob)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  it('see what was written while they were shut, in this configuration and no other', async () => {
    const { of } = start()
    await of({ isOn: () => false }).noteSource('github', ann)
    await of({ isOn: () => false }).check('github', ann)
    await expect(of().check('github', ann)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await of({ config: 'b' }).check('github', ann)
  })

  it('do not write where nothing may be written', async () => {
    const { of } = start()
    const eyes = of({ documents: { all: async () => [], get: async () => undefined } })
    await eyes.noteSource('github', ann)
    await expect(eyes.check('github', ann)).resolves.toBeUndefined()
  })
})
