import { stripVTControlCharacters } from 'node:util'
import { spoken } from '../../serving/locale.js'
import { heads } from './table-heads.js'
import { painted } from './terminal.js'

const gap = '  '

/**
 * Columns that line up, Chinese included. In a pipe everything is whole; on a terminal columns without a word are left
 * out and the widest are cut until a row fits, names last: they are what one types next.
 */
export const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = process.stdout.columns,
): string => lines(head, rows, columns, 'cut names')

const pipeColumns = 120

/**
 * For tables of tools, whose descriptions are as long as their servers like: in a pipe they are cut too, names never,
 * unless the whole is asked for (U10).
 */
export const toolTable = (head: readonly string[], rows: readonly (readonly string[])[], wide = false): string => {
  if (wide) return lines(head, rows, undefined, 'whole names')
  const { columns } = process.stdout
  return columns === undefined ? lines(head, rows, pipeColumns, 'whole names') : table(head, rows, columns)
}

const lines = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | undefined,
  names: 'cut names' | 'whole names',
): string => {
  const clean = [head.map(headHere), ...rows].map((row) =>
    row.map((cell) => stripVTControlCharacters(cell).replace(/\s+/g, ' ')),
  )
  const kept = columns === undefined || names === 'whole names' ? clean : withoutEmpty(clean)
  const natural = kept[0]!.map((_, column) => Math.max(...kept.map((row) => widthOf(row[column] ?? ''))))
  const widths = columns === undefined ? natural : fitted(natural, columns, names)
  return kept
    .map((row) => row.map((cell, column) => pad(cut(cell, widths[column]!), widths[column]!)).join(gap))
    .map((line) => (columns === undefined || names === 'whole names' ? line.trimEnd() : cut(line.trimEnd(), columns)))
    .map((line, index) => (index === 0 ? painted('bold', line) : line))
    .join('\n')
}

const headHere = (head: string): string => (spoken() === 'zh' ? (heads[head] ?? head) : head)

const withoutEmpty = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] => {
  const isFilled = rows[0]!.map(
    (_, column) => rows.length === 1 || rows.slice(1).some((row) => (row[column] ?? '') !== ''),
  )
  return rows.map((row) => row.filter((_, column) => isFilled[column]))
}

const leastWidth = 10

/** Takes cells from the widest column, and from the first only when no other has any to give. */
const fitted = (natural: readonly number[], columns: number, names: 'cut names' | 'whole names'): readonly number[] => {
  const widths = [...natural]
  const room = columns - gap.length * (widths.length - 1)
  let excess = widths.reduce((sum, width) => sum + width, 0) - room
  for (; excess > 0; excess--) {
    const widest = widths.reduce(
      (best, width, column) => (column > 0 && width > (widths[best] ?? 0) ? column : best),
      1,
    )
    const from = (widths[widest] ?? 0) > leastWidth ? widest : 0
    if (widths[from]! <= leastWidth || (from === 0 && names === 'whole names')) break
    widths[from]! -= 1
  }
  return widths
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

const cut = (text: string, columns: number): string => {
  if (widthOf(text) <= columns) return text
  let width = 0
  let end = ''
  for (const char of text) {
    width += charWidth(char)
    if (width > columns - 1) break
    end += char
  }
  return `${end}…`
}

/** The cells that a text takes on a terminal. */
export const widthOf = (text: string): number => {
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

// East Asian wide and fullwidth forms and emoji take two cells; combining marks and joiners none.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u
const nothing = /\p{M}|[\u200b-\u200d]|\ufe0f/u
const charWidth = (char: string): number => (nothing.test(char) ? 0 : wide.test(char) ? 2 : 1)
