import { describe, expect, it } from 'vitest'
import { createGateway } from '../gateway.js'
import { localCaller } from '../model/caller.js'
import { defineTool } from '../sources/functions/define-tool.js'
import { createLearnedShapes, shapeOf } from './shapes.js'

describe('the shape of an answer', () => {
  it('has keys and kinds, and no values', () => {
    expect(
      shapeOf([
        { number: 1, labels: [{ name: 'bug' }] },
        { number: 2, labels: [] },
      ]),
    ).toBe('{ number: number, labels: any[]|{ name: string }[] }[]')
    expect(shapeOf({ a: 'secret', b: null })).toBe('{ a: string, b: null }')
    expect(shapeOf('text')).toBe('string')
  })

  it('takes keys that look like data for data', () => {
    expect(shapeOf({ 'ada@example.com': 1, 'grace@example.com': 2 })).toBe('Record<string, number>')
    expect(shapeOf(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, true])))).toBe(
      'Record<string, boolean>',
    )
  })

  it('is at most 400 characters long', () => {
    const wide = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a_rather_long_name${at}`, { b: { c: 1 } }]))
    expect(shapeOf([wide, wide]).length).toBeLessThanOrEqual(400)
  })
})

describe('learned shapes', () => {
  it('are shown after two answers alike, and forgotten when the definition changes', async () => {
    let answer: unknown = { city: 'Oslo', celsius: 3 }
    const gateway = createGateway({ tools: [defineTool({ name: 'weather', handler: () => answer as object })] })
    const shapes = createLearnedShapes((id) => gateway.find(id))
    gateway.onCall(shapes.listener)
    const ask = () => gateway.call({ tool: 'weather', caller: localCaller })
    const tool = gateway.find('weather')!
    await ask()
    expect(shapes.of(tool)).toBeUndefined()
    await ask()
    expect(shapes.of(tool)).toBe('/*seen*/ { city: string, celsius: number }')
    const changed = { ...tool, definition: { ...tool.definition, description: 'Another one.' } }
    expect(shapes.of(changed)).toBeUndefined()
    answer = ['other']
    await ask()
    expect(shapes.of(tool)).toBeUndefined()
  })
})
