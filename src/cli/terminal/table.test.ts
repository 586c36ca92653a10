import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { table, toolTable, widthOf } from './table.js'

const linesOf = (text: string): readonly string[] => text.split('\n')

describe('a table', () => {
  const head = ['TOOL', 'OWNER', 'DESCRIPTION', 'MATCHED']
  const rows = [
    ['github.create_issue', '', 'Opens an issue in a repository, with labels and people', 'name, description, meaning'],
    ['灯.开', '', '打开一盏灯', '名称'],
  ]

  it('is whole in a pipe, every column included', () => {
    const [, first] = linesOf(table(head, rows, undefined))
    expect(first).toBe(
      'github.create_issue         Opens an issue in a repository, with labels and people  name, description, meaning',
    )
  })

  it('fits a terminal: empty columns go, the widest are cut, names stay', () => {
    const text = table(head, rows, 60)
    expect(text).not.toContain('OWNER')
    expect(linesOf(text).every((line) => widthOf(line) <= 60)).toBe(true)
    expect(text).toContain('github.create_issue  Opens an issue')
    expect(text).toContain('灯.开                打开一盏灯')
  })

  it('of tools keeps a line in a pipe within 120 columns, names whole, unless all of it is asked for (U10)', () => {
    const long = [`${'x'.repeat(100)}.tool`, 'source', 'words '.repeat(200), 'name, description']
    const rows = [['files.read', 'files', 'Reads a file. '.repeat(40), 'name'], long]
    const [, first, second] = linesOf(toolTable(head, rows))
    expect(widthOf(linesOf(toolTable(head, rows.slice(0, 1)))[1]!)).toBeLessThanOrEqual(120)
    expect(first).toMatch(/^files\.read .*…/)
    expect(second).toContain(`${'x'.repeat(100)}.tool`)
    expect(toolTable(head, rows, true)).toContain('words '.repeat(200).trim())
  })

  it('never has a line wider than the terminal, nor one of a screen too narrow for anything', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 60 })
    const anyRows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 120 }), (cells, columns) => {
        for (const line of linesOf(table(['A', 'B', 'C'], cells, columns)))
          expect(widthOf(line)).toBeLessThanOrEqual(columns)
      }),
    )
  })
})
