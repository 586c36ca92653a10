import { describe, expect, it } from 'vitest'
import { normalised } from '../../test/helpers/config-files.js'
import { diffConfig } from './diff.js'

const read = (value: object, env = {}) => normalised(value, { env, strict: false }).config

describe('diffConfig', () => {
  it('sorts the sources into added, removed, changed and untouched', () => {
    const old = read({ sources: { a: { command: 'x' }, b: { command: 'x' }, c: { command: 'x' } } })
    const next = read({ sources: { d: { command: 'x' }, c: { command: 'y' }, b: { command: 'x' } } })
    expect(diffConfig(old, next)).toEqual({
      added: ['d'],
      removed: ['a'],
      changed: ['c'],
      untouched: ['b'],
      settings: [],
    })
  })

  it('compares content, not order, shape or written defaults', () => {
    const old = read({ sources: { a: { type: 'stdio', command: 'x', env: { A: '1', B: '2' } } }, server: { port: 1 } })
    const next = read({
      server: { path: '/mcp', port: 1 },
      mcpServers: { a: { env: { B: '2', A: '1' }, command: 'x', args: [] } },
    })
    expect(diffConfig(old, next)).toMatchObject({ changed: [], untouched: ['a'], settings: [] })
  })

  it('sees a list in another order, and a variable with another value, as a change', () => {
    const at = (args: string[], env = {}) => read({ sources: { a: { command: 'x', args } } }, env)
    expect(diffConfig(at(['1', '2']), at(['2', '1'])).changed).toEqual(['a'])
    expect(diffConfig(at([`\${V}`], { V: '1' }), at([`\${V}`], { V: '2' })).changed).toEqual(['a'])
  })

  it('changes only the source whose variable went missing (F28)', () => {
    const file = { sources: { a: { command: `\${V}` }, b: { command: 'x' } } }
    expect(diffConfig(read(file, { V: 'x' }), read(file))).toMatchObject({ changed: ['a'], untouched: ['b'] })
  })

  it('001 shows exact names with its own `services`, safe ones otherwise', () => {
    const a = { type: 'stdio', command: 'x' }
    expect(read({ services: { a } }).profiles.default.names).toBe('exact')
    expect(read({ sources: { a } }).profiles.default.names).toBe('safe')
    expect(read({ services: { a }, profiles: { default: { names: 'safe' } } }).profiles.default.names).toBe('safe')
  })

  it('names the settings that changed', () => {
    const next = read({ server: { port: 1 }, toolManager: { namespaceEnabled: false } })
    expect(diffConfig(read({}), next).settings).toEqual(['profiles', 'server', 'toolManager'])
  })
})
