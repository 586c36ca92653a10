import { describe, expect, it } from 'vitest'
import type { Tool } from '../model/tool.js'
import type { CallRule } from './call-rules.js'
import { notesBeside } from './rule-notes.js'
import { classesOf } from './rules.js'

const toolOf = (id: string, properties?: object, more: Partial<Tool> = {}): Tool => ({
  ...{ id, namespace: '', name: id, source: 's', tags: [] },
  definition: { name: id, inputSchema: { type: 'object', ...(properties && { properties }) } as never },
  ...more,
})
const tools = [
  toolOf('k8s.apply', { env: {}, file: {} }),
  toolOf('k8s.get', { name: {} }),
  toolOf('free.form'),
  toolOf('call_tool', {}, { own: true }),
]
const told = (rule: Partial<CallRule>) => {
  const classes = (tool: Tool) =>
    classesOf(tool, 'tool', { readonly: tool.id === 'k8s.get', by: 'profile', why: 'unsaid' } as never)
  const { notes, matching } = notesBeside({ id: 'r', effect: 'deny', ...rule }, tools, classes)
  return [matching, ...notes.map(({ code, about, part }) => `${part} ${code} ${about}`)]
}

describe('notes on a rule', () => {
  it('name patterns and classes without a tool', () => {
    expect(told({ tools: ['k8s.*', 'k9s.*'] })).toEqual([2, 'tools no-tool k9s.*'])
    expect(told({ tools: ['k8s.apply'], class: ['readOnly', 'writes'] })).toEqual([1, 'class no-class readOnly'])
    expect(told({ tools: ['call_*'] })).toEqual([0, 'tools no-tool call_*'])
    expect(told({ tools: ['call_tool'] })).toEqual([1])
    expect(told({})).toEqual([3])
  })

  it('name arguments that none of its tools takes, wherever a condition has them', () => {
    const when = { anyOf: [{ properties: { enviroment: {} } }, { not: { required: ['file'] } }] }
    expect(told({ tools: ['k8s.*'], when })).toEqual([2, 'when no-property enviroment'])
    // A tool that says nothing of its arguments may take any.
    expect(told({ tools: ['*'], when })).toEqual([3])
  })

  it('name exceptions for whoever leaves an argument out', () => {
    expect(told({ unless: { properties: { dry_run: { const: true } } } })).toEqual([3, 'unless not-required dry_run'])
    expect(told({ unless: { properties: { dry_run: { const: true } }, required: ['dry_run'] } })).toEqual([3])
  })
})
