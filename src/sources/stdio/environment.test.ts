import { describe, expect, it } from 'vitest'
import { childEnvironment } from './environment.js'

const mark = '1-2-3-0011223344556677'

describe('child environment', () => {
  it('passes the allow-list, the declared variables and the mark, nothing else (T24)', () => {
    const host = { PATH: '/bin', HOME: '/root', LC_ALL: 'C', DATABASE_URL: 'x', GITHUB_TOKEN: 'y', NODE_OPTIONS: 'z' }
    expect({ ...childEnvironment({ host, declared: { OWN: 'mine', PATH: '/opt' }, mark, platform: 'linux' }) }).toEqual(
      {
        PATH: '/opt',
        HOME: '/root',
        LC_ALL: 'C',
        OWN: 'mine',
        PEGBOARD_INSTANCE: mark,
      },
    )
  })

  it('never lets a declared variable replace the mark', () => {
    const environment = childEnvironment({ host: {}, declared: { PEGBOARD_INSTANCE: 'other' }, mark })
    expect(environment.PEGBOARD_INSTANCE).toBe(mark)
  })

  it('takes __proto__ as a name like any other', () => {
    const declared = JSON.parse('{"__proto__":"x"}')
    expect(Object.keys(childEnvironment({ host: {}, declared, mark }))).toContain('__proto__')
  })

  it('drops exported shell functions', () => {
    expect(childEnvironment({ host: { TERM: '() { :; }; id' }, mark, platform: 'linux' }).TERM).toBeUndefined()
  })

  it('refuses names and values that no system can carry, without showing the value', () => {
    const attempt = (declared: Record<string, string>) => () => childEnvironment({ host: {}, declared, mark })
    expect(attempt({ 'A=B': 'x' })).toThrow(expect.objectContaining({ code: 'SOURCE_INVALID' }))
    expect(attempt({ '': 'x' })).toThrow(expect.objectContaining({ code: 'SOURCE_INVALID' }))
    expect(attempt({ KEY: 'sec\0ret' })).toThrow(/^The variable KEY must be text without NUL characters\.$/)
  })

  it('knows Windows names in any case and keeps one spelling', () => {
    const environment = childEnvironment({
      host: { Path: 'a', SystemRoot: 'b', SECRET: 'c' },
      declared: { PATH: 'd' },
      mark,
      platform: 'win32',
    })
    expect({ ...environment }).toEqual({ SystemRoot: 'b', PATH: 'd', PEGBOARD_INSTANCE: mark })
  })
})
