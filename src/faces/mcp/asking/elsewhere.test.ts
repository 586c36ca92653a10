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
  const complete = (id: string, source = 'up'): void => {
    for (const listener of listeners) listener.completed?.(source, id)
  }
  return { elsewhere, complete, listeners }
}

describe('an elicitation that is finished elsewhere', () => {
  it('is told once, to the session that was asked and to no other', () => {
    const { elsewhere, complete } = open()
    const heard: string[] = []
    elsewhere.asked('up', 'a', (text) => heard.push(`one ${JSON.parse(text).params.elicitationId}`))
    elsewhere.asked('up', 'b', () => heard.push('other'))
    complete('a')
    complete('a')
    complete('unknown')
    expect(heard).toEqual(['one a'])
  })

  it('is told by the source that asked, and by no other (S26)', () => {
    const { elsewhere, complete } = open()
    const heard: string[] = []
    elsewhere.asked('bank', 'a', () => heard.push('bank'))
    elsewhere.asked('shop', 'a', () => heard.push('shop'))
    complete('a', 'evil')
    expect(heard).toEqual([])
    complete('a', 'shop')
    expect(heard).toEqual(['shop'])
    complete('a', 'bank')
    expect(heard).toEqual(['shop', 'bank'])
  })

  it('is forgotten when too many others came since', () => {
    const { elsewhere, complete, listeners } = open()
    let told = 0
    elsewhere.asked('up', 'first', () => told++)
    for (let at = 0; at < 1000; at++) elsewhere.asked('up', `later ${at}`, () => {})
    complete('first')
    expect(told).toBe(0)
    elsewhere.close()
    expect(listeners.size).toBe(0)
  })
})
