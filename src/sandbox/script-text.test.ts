import { describe, expect, it } from 'vitest'
import { codeOf } from '../../test/helpers/thrown-code.js'
import { failingLine } from './failing-line.js'
import { toScriptBody } from './script-text.js'

const body = (text: string): string => toScriptBody(text, 1000)

describe('the text of a script', () => {
  it('may stand in a fence', () => {
    expect(body('```js\nreturn 1\n```')).toBe('return 1')
    expect(body('\n```typescript\nconst a = 1\nreturn a\n```\n')).toBe('const a = 1\nreturn a')
    expect(body('return "```"')).toBe('return "```"')
  })

  it('may be a whole function instead of its body', () => {
    expect(body('async () => {\n  return 1\n}')).toBe('return (async () => {\n  return 1\n})()')
    expect(body('(async () => {\n  return 1\n})();')).toBe('return (async () => {\n  return 1\n})()')
    expect(body('async function main() {\n  return 1\n}')).toBe('return (async function main() {\n  return 1\n})()')
    expect(body('const f = async () => { return 1 }\nreturn f()')).toContain('return f()')
  })

  it('that is empty, too long or holds NUL is refused', () => {
    expect(codeOf(() => body('  \n'))).toBe('SCRIPT_INVALID')
    expect(codeOf(() => body('x'.repeat(1001)))).toBe('SCRIPT_INVALID')
    expect(codeOf(() => body('a\n\0'))).toBe('SCRIPT_INVALID')
  })
})

describe('the line on which a script failed', () => {
  it('is the one that reads what could not be read, where the engine tells an earlier one', () => {
    const script = 'const a = await f()\nconst b = 1\nreturn a.login.name'
    expect(failingLine(script, "TypeError: cannot read property 'login' of null", 1)).toBe(3)
    expect(failingLine(script, "ReferenceError: 'b' is not defined", 1)).toBe(2)
    expect(failingLine(script, 'TypeError: not a function', 1)).toBe(1)
    expect(failingLine(script, "TypeError: cannot read property 'zip' of null", 2)).toBe(2)
    expect(failingLine(script, 'x', undefined)).toBeUndefined()
  })

  it('is the last one where the script ends too early', () => {
    expect(failingLine('return await tools.\n', 'SyntaxError: expecting field name', 3)).toBe(1)
    expect(failingLine('const a = 1\nreturn a +', 'SyntaxError: unexpected token', 4)).toBe(2)
  })
})
