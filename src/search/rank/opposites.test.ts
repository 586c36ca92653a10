import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tool } from '../../model/tool.js'
import { askedOfTwo } from './opposites.js'

const toolOf = (name: string, source = 'home'): Tool => ({
  id: `${source}.${name}`,
  name,
  namespace: source,
  source,
  tags: [],
  definition: { name, inputSchema: { type: 'object' } },
})
const order = (query: string, ...tools: readonly Tool[]) =>
  askedOfTwo(tools, query, (tool) => tool).map(({ name }) => name)

describe('one of two opposites', () => {
  it.each([
    ['lights on', 'turn_off', 'turn_on'],
    ['开灯', 'turn_off', 'turn_on'],
    ['关灯', 'turn_on', 'turn_off'],
    ['unlock the door', 'lockDoor', 'unlockDoor'],
    ['stop the trace', 'performance_start_trace', 'performance_stop_trace'],
    ['解压这个文件', 'compress_file', 'decompress_file'],
  ])('%s: not %s but %s', (query, other, asked) => {
    expect(order(query, toolOf(other), toolOf('between'), toolOf(asked))).toEqual([asked, other, 'between'])
  })

  it('is left where it stands when both are said, none is, or the twin is of another source', () => {
    expect(order('on and off', toolOf('turn_off'), toolOf('turn_on'))).toEqual(['turn_off', 'turn_on'])
    expect(order('lights', toolOf('turn_off'), toolOf('turn_on'))).toEqual(['turn_off', 'turn_on'])
    expect(order('lights on', toolOf('turn_off'), toolOf('turn_on', 'car'))).toEqual(['turn_off', 'turn_on'])
  })

  it('never loses a tool', () => {
    const name = fc.constantFrom('turn_on', 'turn_off', 'lock', 'unlock', 'other')
    fc.assert(
      fc.property(
        fc.uniqueArray(name),
        fc.oneof(fc.string(), fc.constantFrom('on', 'off', 'unlock it')),
        (names, query) => {
          expect([...order(query, ...names.map((each) => toolOf(each)))].sort()).toEqual([...names].sort())
        },
      ),
    )
  })
})
