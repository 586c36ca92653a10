import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Path } from './problems.js'
import { type ParsedText, positionAt, TextProblem } from './text.js'

/** JSON with comments and trailing commas. Through the tree, since a plain parse lets the last of two equal keys win. */
export const parseJsonc = (text: string): ParsedText => {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) throw syntaxProblem(text, first)
  if (!root) throw new TextProblem('the file holds comments only; write {} to take the defaults')
  const value = toValue(root, text)
  return { value, locate: (path) => positionAt(text, nearestNode(root, path).offset) }
}

const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON; strings need double quotes',
  InvalidNumberFormat: 'this number is not JSON',
  PropertyNameExpected: 'a key in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected after the key',
  CommaExpected: 'a comma is expected between two entries',
  CloseBraceExpected: 'a closing } is missing; the file may be cut off',
  CloseBracketExpected: 'a closing ] is missing; the file may be cut off',
  EndOfFileExpected: 'there is text after the end of the configuration',
  UnexpectedEndOfComment: 'a comment is never closed',
  UnexpectedEndOfString: 'a string is never closed',
  InvalidUnicode: 'this is not a valid \\u escape',
  InvalidEscapeCharacter: 'this is not a valid escape; write a backslash as \\\\',
  InvalidCharacter: 'a control character must be escaped in a string',
}

const syntaxProblem = (text: string, { error, offset }: ParseError): TextProblem => {
  const name = printParseErrorCode(error)
  const looksLikeYaml = !/^\s*(?:\/[/*]|[{["])/.test(text) && /^\s*[\w"'-]+\s*:/m.test(text)
  const hint = looksLikeYaml ? '; this looks like YAML, name the file pegboard.yaml' : ''
  return new TextProblem(`${words[name] ?? name}${hint}`, positionAt(text, offset))
}

const toValue = (node: Node, text: string): unknown => {
  if (node.type === 'array') return (node.children ?? []).map((item) => toValue(item, text))
  if (node.type !== 'object') return node.value
  const entries = new Map<string, unknown>()
  for (const { children } of node.children ?? []) {
    const [key, value] = children as [Node, Node]
    if (entries.has(key.value)) {
      throw new TextProblem(`the key ${JSON.stringify(key.value)} occurs twice`, positionAt(text, key.offset))
    }
    entries.set(key.value, toValue(value, text))
  }
  // From entries, so that a key `__proto__` becomes data, which the caller then refuses.
  return Object.fromEntries(entries)
}

const nearestNode = (root: Node, path: Path): Node => {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length))
    if (node) return node
  }
  return root
}
