import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeExit, startFailure } from '../sources/stdio/failure.js'
import { reasonLine, splitReason } from './trace-words.js'

const failed = (stderr: string): string =>
  startFailure(describeExit(1, null), { command: 'uvx', exitCode: 1, signal: null, stderr }).message

const python = `Traceback (most recent call last):
  File "/x/bin/mcp-server-sqlite", line 4, in <module>
    sys.exit(main())
  File "/x/server.py", line 12, in main
    server.request_context
    ^^^^^^^^^^^^^^^^^^^^^^
AttributeError: 'Server' object has no attribute 'request_context'`

const node = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/x/nothing.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at node:internal/main/run_main_module:36:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2`

const npm = `npm error code E404
npm error 404 Not Found - GET https://registry.example/nothing - Not found
npm error A complete log of this run can be found in: /x/debug-0.log`

describe('a reason (G1)', () => {
  it.each([
    ['of Python', python, "AttributeError: 'Server' object has no attribute 'request_context'"],
    ['of Node', node, "Error: Cannot find module '/x/nothing.js'"],
    ['of npm', npm, 'npm error 404 Not Found - GET https://registry.example/nothing - Not found'],
    ['of a program with a few words', 'reading\nno licence for this machine', 'no licence for this machine'],
  ])('%s says why in one line, the rest stays to be read', (_, stderr, why) => {
    expect(splitReason(failed(stderr))).toEqual({ what: 'uvx ended by itself with exit code 1.', why, trace: stderr })
    expect(reasonLine(failed(stderr))).toBe(`${why} (uvx ended by itself with exit code 1.)`)
  })

  it('of one line is that line', () => {
    const told = { what: 'There is no such command.', why: undefined, trace: undefined }
    expect(splitReason('There is no such command.')).toEqual(told)
    expect(splitReason(failed(''))).toMatchObject({ why: undefined, trace: undefined })
    expect(splitReason(failed('one line'))).toMatchObject({ why: 'one line', trace: undefined })
  })

  it('of several lines that no program wrote begins with the first', () => {
    expect(splitReason('Two problems:\n  a is wrong\n  b is wrong')).toMatchObject({
      what: 'Two problems:',
      trace: '  a is wrong\n  b is wrong',
    })
  })

  it('loses nothing, whatever was written', () => {
    const lines = fc.array(fc.constantFrom('at x', '}', 'Error: y', '', '  ^', 'plain', 'npm error code E'), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(lines, (written) => {
        const stderr = written.join('\n').trim()
        const { why, trace } = splitReason(failed(stderr))
        for (const line of written) if (line.trim() !== '') expect(`${why}\n${trace}`).toContain(line.trim())
      }),
    )
  })
})
