import { describe, expect, it } from 'vitest'
import type { Gateway, SurfaceListener } from '../../../gateway.js'
import { createElsewhere } from './elsewhere.js'

const open = () => {
  const listeners = new Set<SurfaceListener>()
  const subscribe = (listener: SurfaceListener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const elsewhere = createElsewhere({ surfaces: { subscribe } } as unknown as Gateway)
  const complete = (id: string): void => {
    for (const listener of listeners) listener.completed?.(id)
  }
  return { elsewhere, complete, listeners }
}

describe('an elicitation that is finished elsewhere', () => {
  it('is told once, to the session that was asked and to no other', () => {
    const { elsewhere, complete } = open()
    const heard: string[] = []
    elsewhere.asked('a', (text) => heard.push(`one ${JSON.parse(text).params.elicitationId}`))
    elsewhere.asked('b', () => heard.push('other'))
    complete('a')
    complete('a')
    complete('unknown')
    expect(heard).toEqual(['one a'])
  })

  it('is forgotten when too many others came since', () => {
    const { elsewhere, complete, listeners } = open()
    let told = 0
    elsewhere.asked('first', () => told++)
    for (let at = 0; at < 1000; at++) elsewhere.asked(`later ${at}`, () => {})
    complete('first')
    expect(told).toBe(0)
    elsewhere.close()
    expect(listeners.size).toBe(0)
  })
})
