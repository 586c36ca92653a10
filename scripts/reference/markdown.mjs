/** A table, its cells fit to stand in one. */
export const table = (head, rows) => {
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const code = (text) => `\`${text}\``

/** A capital at the beginning, a full stop at the end. */
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

/** Items under the word that they share, in their order. */
export const grouped = (items, wordOf) => {
  const groups = new Map()
  for (const item of items) groups.set(wordOf(item), [...(groups.get(wordOf(item)) ?? []), item])
  return groups
}

/** JSON with what is small on one line, as people write it. */
export const printed = (value, pad = '') => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const items = (inner) =>
    Array.isArray(value)
      ? value.map((item) => printed(item, inner))
      : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${printed(item, inner)}`)
  const space = Array.isArray(value) ? '' : ' '
  const line = `${open}${space}${items('').join(', ')}${space}${close}`
  const isFlat = pad !== '' && line.length < 100 && !line.includes('\n')
  if (isFlat && !Object.values(value).some((item) => typeof item === 'object')) return line
  return `${open}\n${items(`${pad}  `)
    .map((item) => `${pad}  ${item}`)
    .join(',\n')}\n${pad}${close}`
}
