import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeText, expandText, expandVariables, variablesIn } from './variables.js'

const env = { A: 'alpha', B: 'beta', EMPTY: '', LOOP: `\${LOOP}`, REF: `x\${B}y`, LINES: 'a\n"b"' }

describe('expandText', () => {
  it.each([
    ['nothing', 'plain', 'plain'],
    ['a variable', `\${A}`, 'alpha'],
    ['a variable inside text', `<\${A}-\${B}>`, '<alpha-beta>'],
    ['the form of VS Code and Cursor', `\${env:A}`, 'alpha'],
    ['a default for an unset variable', `\${NONE:-x y}`, 'x y'],
    ['a default for an empty variable, as a shell does', `\${EMPTY:-x}`, 'x'],
    ['an empty default', `\${NONE:-}`, ''],
    ['a default that is not needed', `\${A:-x}`, 'alpha'],
    ['an empty variable', `<\${EMPTY}>`, '<>'],
    ['a dollar before a plain name', '$A', '$A'],
    ['an escaped dollar', '$$', '$'],
    ['an escaped placeholder', `$\${A}`, `\${A}`],
    ['an escaped dollar before a placeholder', `$$\${A}`, '$alpha'],
    ['a lone dollar', 'costs 5$', 'costs 5$'],
    ['a value that refers to itself (K18)', `\${LOOP}`, `\${LOOP}`],
    ['a value that holds a placeholder, not expanded again (K18)', `\${REF}`, `x\${B}y`],
    ['a value with a newline and quotes (K18)', `\${LINES}`, 'a\n"b"'],
  ])('reads %s', (_what, text, expected) => {
    expect(expandText(text, env)).toMatchObject({ text: expected, unset: [], broken: [] })
  })

  it('names the unset variable and keeps its placeholder', () => {
    expect(expandText(`a\${NONE}b`, env)).toMatchObject({ text: `a\${NONE}b`, unset: ['NONE'] })
  })

  it.each([
    `\${A`,
    `\${\${A}}`,
    `\${}`,
    `\${A B}`,
    `\${1A}`,
    `\${A:=x}`,
    `\${A:-\${B}}`,
    `\${input:key}`,
    `\${toString.x}`,
  ])('refuses %s with a sentence', (text) => {
    const { broken } = expandText(text, env)
    expect(broken).toHaveLength(1)
    expect(broken.join()).not.toMatch(/alpha|beta/)
  })

  it('does not take what every object inherits for a variable', () => {
    expect(expandText(`\${toString}\${constructor}`, {}).unset).toEqual(['toString', 'constructor'])
  })

  it('gives escaped text back as it was, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'A', ':', '-', 'é', '\n') }), (text) => {
        expect(expandText(escapeText(text), env)).toMatchObject({ text, unset: [], broken: [] })
      }),
    )
  })

  it('puts any value in unchanged and reads it once only', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: fc.constantFrom('$', '{', '}', 'V') }), (around, value) => {
        const text = `${escapeText(around)}\${V}${escapeText(around)}`
        expect(expandText(text, { V: value }).text).toBe(around + value + around)
      }),
    )
  })

  it('never throws, and never shows a value in a problem', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'V', 'W', ':', '-', ' ') }), (text) => {
        const { broken, unset } = expandText(text, { V: 'canary' })
        expect([...broken, ...unset].join()).not.toContain('canary')
      }),
    )
  })
})

describe('expandVariables', () => {
  it('reaches every string, leaves keys and other values, and changes no input', () => {
    const key = `\${A}`
    const input = Object.freeze({ [key]: [`\${A}`, 1, null, { b: `\${B}` }], c: true })
    const { value, expanded } = expandVariables(input, env)
    expect(value).toEqual({ [key]: ['alpha', 1, null, { b: 'beta' }], c: true })
    expect(expanded.map(({ path }) => path)).toEqual([
      [key, 0],
      [key, 3, 'b'],
    ])
  })

  it('tells where a variable is missing', () => {
    const { problems } = expandVariables({ a: { b: [`\${NONE}`] } }, env)
    expect(problems).toMatchObject([{ code: 'VARIABLE_UNSET', path: ['a', 'b', 0] }])
    expect(problems[0]?.message).toContain('NONE')
  })

  it('stops when the variables would fill the memory', () => {
    const big = 'x'.repeat(1024 * 1024)
    const { problems } = expandVariables(
      Array.from({ length: 200 }, () => `\${BIG}`),
      { BIG: big },
    )
    expect(problems.length).toBeGreaterThan(0)
    expect(problems[0]).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('too large') })
  })
})

describe('variablesIn', () => {
  it('lists the variables of a text', () => {
    expect(variablesIn(`\${A} $\${B} \${env:C} \${D:-x}`)).toEqual(['A', 'C', 'D'])
  })
})
