export interface ArgumentLine {
  readonly text: string
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * JSON text, one member per line. The text is taken apart and never read: reading it would bring back the very characters
 * that were written out so that somebody sees them.
 */
export const argumentLines = (json: string): readonly ArgumentLine[] => {
  const lines: string[] = []
  let line = ''
  let depth = 0
  const end = (): void => {
    if (line.trim() !== '') lines.push(line)
    line = '  '.repeat(depth)
  }
  for (const [part] of json.matchAll(token)) {
    if (part === '}' || part === ']') {
      depth -= 1
      end()
    }
    line += part === ':' ? ': ' : part
    if (part === '{' || part === '[') depth += 1
    if (part === '{' || part === '[' || part === ',') end()
  }
  end()
  return lines.map((text) => ({ text }))
}
