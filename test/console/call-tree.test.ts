import { describe, expect, it } from 'vitest'
import { callTree } from '../../console/src/pages/call-tree.js'
import type { LoggedCall } from '../../src/faces/admin/calls.js'

let n = 0
const call = (tool: string, more: Partial<LoggedCall> = {}): LoggedCall => ({
  ...{ n: ++n, kind: 'tool', tool, caller: 'x', ok: true, latencyMs: 1, attempts: 1, cached: false, at: n },
  ...more,
})
const rowsOf = (calls: readonly LoggedCall[], words = '', isOpen = true) =>
  callTree(
    calls,
    ({ tool }) => tool.includes(words),
    (_, isFound) => isOpen || isFound,
  ).map(({ call: { tool }, inner, isInner }) => `${isInner ? '  ' : ''}${tool}${inner ? ` (${inner.length})` : ''}`)

describe('the calls as rows', () => {
  it('have those of a script under it, in their order, whatever came between', () => {
    const calls = [
      call('a', { run: 'r_1', step: 1 }),
      call('other'),
      call('b', { run: 'r_1', step: 2 }),
      call('run_script', { run: 'r_1' }),
    ]
    expect(rowsOf(calls)).toEqual(['run_script (2)', '  a', '  b', 'other'])
    expect(rowsOf(calls, '', false)).toEqual(['run_script (2)', 'other'])
  })

  it('have a script that paused once for each turn, and one that runs by its calls alone', () => {
    const calls = [
      call('a', { run: 'r_1', step: 1 }),
      call('run_script', { run: 'r_1' }),
      call('b', { run: 'r_1', step: 2 }),
      call('c', { run: 'r_2', step: 1 }),
      call('run_script', { run: 'r_1' }),
    ]
    expect(rowsOf(calls)).toEqual(['run_script (1)', '  b', 'c', 'run_script (1)', '  a'])
  })

  it('have what a cancelled script had under way under it, although it ended later', () => {
    const calls = [
      call('a', { run: 'r_1', step: 1 }),
      call('run_script', { run: 'r_1', ok: false, code: 'CALL_CANCELLED' }),
      call('b', { run: 'r_1', step: 2, ok: false, code: 'CALL_CANCELLED' }),
    ]
    expect(rowsOf(calls)).toEqual(['run_script (2)', '  a', '  b'])
  })

  it('show what was searched for under its script, and nothing else of it', () => {
    const calls = [
      call('a', { run: 'r_1', step: 1 }),
      call('b', { run: 'r_1', step: 2 }),
      call('run_script', { run: 'r_1' }),
    ]
    expect(rowsOf(calls, 'b', false)).toEqual(['run_script (1)', '  b'])
    expect(rowsOf(calls, 'run', false)).toEqual(['run_script (2)'])
    expect(rowsOf(calls, 'none', false)).toEqual([])
  })
})
