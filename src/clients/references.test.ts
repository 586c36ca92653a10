import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referencedIn } from '../config/referenced.js'
import { inTheirWords, toOurReferences } from './references.js'

const ours = (text: string, variables: 'shell' | 'env' | 'dollar' | undefined, bareVariables = false): unknown =>
  toOurReferences(text, { variables, bareVariables }, { folder: '/p' }).value

/** What our configuration makes of a text when no variable is set: `$$` is a dollar sign. */
const readBack = (text: string): string => text.replace(/\$\$/g, '$')

describe('references', () => {
  it.each([
    [`Bearer \${TOKEN}`, 'shell', `Bearer \${TOKEN}`],
    [`\${PORT:-80}`, 'shell', `\${PORT:-80}`],
    [`\${env:TOKEN}`, 'env', `\${env:TOKEN}`],
    [`\${workspaceFolder}/x`, 'env', '/p/x'],
    [`\${input:my-key}`, 'env', `\${MY_KEY}`],
    ['a$$b', 'shell', 'a$$$$b'],
  ] as const)('%s of a client with %s variables becomes %s', (text, style, expected) => {
    expect(ours(text, style)).toBe(expected)
  })

  it('reads $NAME only where the client does', () => {
    expect(ours('$KEY/x', 'dollar', true)).toBe(`\${KEY}/x`)
    expect(ours('$KEY/x', 'shell')).toBe('$KEY/x')
  })

  it('names the variables that a person is asked for', () => {
    const { asked } = toOurReferences([`\${input:a b}`, `\${input:1}`], { variables: 'env' }, { folder: undefined })
    expect(asked).toEqual(['A_B', '_1'])
  })

  it('keep every text of a client without variables as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', 'A', ':', '-') }), (text) => {
        const written = String(ours(text, undefined))
        expect(written).not.toMatch(/(?<!\$)(?:\$\$)*\$\{/)
        expect(readBack(written)).toBe(text)
      }),
    )
  })

  it('never become a file to read or a program to run (T15)', () => {
    const unit = fc.constantFrom('$', '{', '}', '{cmd:x}', '{file:x}', '{keychain:a/b}', '{input:x}', 'cmd:', 'a')
    fc.assert(
      fc.property(fc.string({ unit }), fc.constantFrom('env', 'shell', 'dollar', undefined), (text, style) => {
        const { files, commands, keychain } = referencedIn(ours(text, style, style === 'dollar'))
        expect([...files, ...commands, ...keychain]).toEqual([])
      }),
    )
  })

  it('are written in the words of each client', () => {
    expect(inTheirWords('A', { variables: 'shell' })).toBe(`\${A}`)
    expect(inTheirWords('A', { variables: 'env' })).toBe(`\${env:A}`)
    expect(inTheirWords('A', { variables: 'dollar' })).toBe('$A')
    expect(inTheirWords('A', { variables: undefined })).toBeUndefined()
  })
})
