import { type Document, LineCounter, parseDocument } from 'yaml'
import type { Path } from './problems.js'
import { nestedTooDeep, type ParsedText, type Position, TextProblem } from './text.js'

/** YAML 1.2, one document. Aliases are bounded: nine lines of them can stand for a billion values. */
export const parseYaml = (text: string): ParsedText => {
  refuseDeepLines(text)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const [first] = document.errors
  if (first) throw new TextProblem(wording(first), position(lines, first.pos[0]))
  return { value: toValue(document), locate: (path) => locate(document, lines, path) }
}

const wording = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  code === 'DUPLICATE_KEY'
    ? 'a key occurs twice in this map'
    : code === 'TAB_AS_INDENT'
      ? 'YAML is indented by spaces, not by tabs'
      : // The parser quotes from the text in some messages, and that text may hold a secret.
        `this is not YAML (${code.toLowerCase().replaceAll('_', ' ')}${message.includes('multiple documents') ? ': more than one document' : ''})`

const toValue = (document: Document): unknown => {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new TextProblem('an alias (*name) in this file has no anchor, or there are too many of them')
  }
}

// Each level of block nesting takes a column or an indicator, so these bound the depth of the parser's recursion.
const maxIndent = 256
const maxIndicators = 256

const refuseDeepLines = (text: string): void => {
  for (const [index, line] of text.split('\n').entries()) {
    const indent = line.length - line.trimStart().length
    const indicators = line.match(/[-?:](?=\s|$)/g)?.length ?? 0
    if (indent > maxIndent || indicators > maxIndicators) {
      throw new TextProblem(nestedTooDeep, { line: index + 1, column: 1 })
    }
  }
}

const locate = (document: Document, lines: LineCounter, path: Path): Position | undefined => {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as
      | { readonly range?: readonly number[] | undefined }
      | undefined
    if (node?.range) return position(lines, node.range[0]!)
  }
  return { line: 1, column: 1 }
}

const position = (lines: LineCounter, offset: number): Position => {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}
