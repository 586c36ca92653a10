import { describe, expect, it } from 'vitest'
import { WaitsElsewhere } from '../../../gateway.js'
import { createSeals } from '../../../model/seal.js'
import type { Client } from '../exchange.js'
import { plainProfile } from '../profile.js'
import { createTaskIds } from './task-ids.js'

const seal = createSeals('one').of('state')
const clientOf = (id: string, profile?: string): Client => ({
  caller: { id, profile, rights: ['call'] },
  profile: plainProfile,
})
const ada = clientOf('ada')

describe('ids of tasks', () => {
  it('say to us alone where a task is, and open for its caller in its profile', () => {
    const ids = createTaskIds({ seal, replica: undefined })
    expect(ids.open(ada, ids.toShown(ada, 'github', '7'))).toEqual({ source: 'github', taskId: '7' })
    const own = ids.toOwn(ada, '8')
    expect(ids.open(ada, own)).toEqual({ taskId: '8' })
    for (const other of [clientOf('bob'), clientOf('ada', 'work')])
      expect(() => ids.open(other, own)).toThrow('not valid here')
    expect(() => ids.open(ada, seal.close({ task: '8', owner: '["ada",null]' }))).toThrow('not valid here')
  })

  it('of another process say so: at another replica, or gone with a start of ours', () => {
    const own = createTaskIds({ seal, replica: 'r1' }).toOwn(ada, '8')
    const thrown = (replica: string | undefined) => {
      try {
        return createTaskIds({ seal, replica }).open(ada, own)
      } catch (error) {
        return error
      }
    }
    expect(thrown('r2')).toBeInstanceOf(WaitsElsewhere)
    expect(thrown('r2')).toMatchObject({ replica: 'r1', code: -32602 })
    expect(thrown('r1')).toMatchObject({ code: -32602, message: expect.stringContaining('Make the call again') })
    expect(thrown('r1')).not.toBeInstanceOf(WaitsElsewhere)
  })
})
