import { stripVTControlCharacters } from 'node:util'
import { painted } from './terminal.js'

/** Columns that line up, Chinese included; the last one is cut where a terminal ends, and whole in a pipe. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = process.stdout.columns,
): string => {
  const clean = [head, ...rows].map((row) => row.map((cell) => stripVTControlCharacters(cell).replace(/\s+/g, ' ')))
  const widths = head.map((_, column) => Math.max(...clean.map((row) => widthOf(row[column] ?? ''))))
  return clean
    .map((row) =>
      cut(
        row.map((cell, column) => (column === row.length - 1 ? cell : pad(cell, widths[column]!))).join('  '),
        columns,
      ),
    )
    .map((line, index) => (index === 0 ? painted('bold', line) : line))
    .join('\n')
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

const cut = (text: string, columns: number | undefined): string => {
  if (columns === undefined || widthOf(text) <= columns) return text
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
