import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvHead, csvLine } from './audit-csv.js'
import type { AuditEntry } from './audit-entry.js'

/** As RFC 4180 is read: quotes around, doubled inside. */
const parse = (line: string): string[] =>
  [...`${line},`.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*)),/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
  )

describe('a line for a spreadsheet', () => {
  it('has every cell in its column, whatever strangers wrote, and none that is run', () => {
    const at = csvHead.split(',').indexOf('on')
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '=', '+', '-', '@', '\t', 'é') }),
        (id) => {
          const actor = { id: 'x', type: 'key' } as const
          const entry: AuditEntry = {
            v: 1,
            at: 't',
            kind: 'call',
            action: 'call',
            actor,
            outcome: 'ok',
            on: { type: 'tool', id },
          }
          const cells = parse(csvLine(entry))
          expect(cells).toHaveLength(csvHead.split(',').length)
          expect(cells[at]!.replace(/^'(?=[=+\-@\t\r])/, '')).toBe(id)
          expect(cells[at]).not.toMatch(/^[=+\-@\t\r]/)
        },
      ),
    )
  })

  it('leaves empty what is not there, and numbers as they are', () => {
    const actor = { id: 'x', type: 'system' } as const
    const line = csvLine({ v: 1, at: 't', kind: 'system', action: 'start', actor, outcome: 'ok', ms: -1.5, seq: 7 })
    expect(line).toBe('t,system,start,ok,,,x,system,,,,,,,,,-1.5,,,,,,,,,7,,,')
  })
})
