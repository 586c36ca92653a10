import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'

const strict = { disallowComments: true, allowTrailingComma: false } as const

/** Where and how a text stops being JSON, for people. Never quotes the text, which V8's own messages do. */
export const describeSyntaxError = (text: string): string => {
  const first = firstError(text)
  if (!first) return 'it is not JSON'
  return `${words(first.code)} at line ${first.line}, column ${first.column} (offset ${first.offset} of ${text.length})`
}

/** The first name that occurs twice in one object of the two outer levels, where tools are kept; JSON.parse drops one silently. */
export const findDuplicateKey = (text: string): string | undefined => {
  const seen: Set<string>[] = []
  let duplicate: string | undefined
  visit(
    text,
    {
      onObjectBegin: () => void seen.push(new Set()),
      onObjectEnd: () => void seen.pop(),
      onObjectProperty: (name) => {
        const names = seen.at(-1)
        if (seen.length > 2 || !names) return
        if (names.has(name)) duplicate ??= name
        names.add(name)
      },
    },
    strict,
  )
  return duplicate
}

interface SyntaxProblem {
  readonly code: ParseErrorCode
  readonly offset: number
  readonly line: number
  readonly column: number
}

const firstError = (text: string): SyntaxProblem | undefined => {
  let first: SyntaxProblem | undefined
  try {
    visit(
      text,
      {
        onError: (code, offset, _length, line, column) => {
          first ??= { code, offset, line: line + 1, column: column + 1 }
        },
      },
      strict,
    )
  } catch {
    // Nested beyond the stack: whatever was found so far has to do.
  }
  return first
}

const words = (code: ParseErrorCode): string =>
  printParseErrorCode(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
