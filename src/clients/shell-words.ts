/** Something that cannot be read, for a person who pasted it. */
export interface PasteProblem {
  readonly en: string
  readonly zh: string
}

/** One command line, or why it is none. */
export type ShellLine =
  | { readonly words: readonly string[]; readonly problem?: undefined }
  | { readonly problem: PasteProblem }

/** More lines than anybody pastes. */
const mostLines = 200

/**
 * Command lines as a POSIX shell takes them apart: quotes, escapes, comments and lines that go on after a backslash. No shell
 * ever reads them, so that what only a shell can do is refused and said (T15). Variables stay references in our own words, any
 * other dollar sign is written `$$`, and `~/` is the home folder.
 */
export const splitShellLines = (text: string): readonly ShellLine[] => {
  const lines: ShellLine[] = []
  const reader = new Reader(text.replace(/\r\n?/g, '\n'))
  while (!reader.isAtEnd && lines.length < mostLines) {
    const line = reader.line()
    if (line.problem !== undefined || line.words.length > 0) lines.push(line)
  }
  return lines
}

const operators = new Set(['|', '&', ';', '<', '>', '(', ')', '`'])

/** Goes through a text once. */
class Reader {
  readonly #text: string
  #at = 0
  #words: string[] = []
  /** Undefined between words: an empty pair of quotes is a word as well. */
  #word: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** One line, and the place after it. */
  line(): ShellLine {
    this.#words = []
    this.#word = undefined
    const problem = this.#read()
    this.#end()
    if (problem === undefined) return { words: this.#words }
    this.#skipLine()
    return { problem }
  }

  #read(): PasteProblem | undefined {
    while (!this.isAtEnd) {
      const char = this.#text[this.#at]!
      if (char === '\n') {
        this.#at++
        return undefined
      }
      if (char === '#' && this.#word === undefined) this.#skipComment()
      else if (char === ' ' || char === '\t') {
        this.#end()
        this.#at++
      } else if (operators.has(char)) return onlyShell(char)
      else {
        const problem = this.#part(char)
        if (problem) return problem
      }
    }
    return undefined
  }

  #part(char: string): PasteProblem | undefined {
    this.#at++
    if (char === "'") return this.#single()
    if (char === '"') return this.#double()
    if (char === '$') return this.#dollar()
    if (char === '\\') this.#escaped()
    else if (char === '~' && this.#word === undefined && this.#text[this.#at] === '/') this.#add(`\${HOME}`)
    else this.#add(char)
    return undefined
  }

  #escaped(): void {
    const char = this.#text[this.#at++]
    // A line that goes on is no part of a word.
    if (char === undefined) this.#add('\\')
    else if (char !== '\n') this.#add(literal(char))
  }

  #single(): PasteProblem | undefined {
    const end = this.#text.indexOf("'", this.#at)
    if (end < 0) return unclosed("'")
    this.#add(literal(this.#text.slice(this.#at, end)))
    this.#at = end + 1
    return undefined
  }

  #double(): PasteProblem | undefined {
    this.#add('')
    while (!this.isAtEnd) {
      const char = this.#text[this.#at++]!
      if (char === '"') return undefined
      if (char === '`') return onlyShell(char)
      if (char === '$') {
        const problem = this.#dollar()
        if (problem) return problem
      } else if (char === '\\') {
        const next = this.#text[this.#at] ?? ''
        if ('$"\\`'.includes(next) && next !== '') this.#add(literal(next))
        else if (next !== '\n') this.#add(`\\${next}`)
        this.#at++
      } else this.#add(char)
    }
    return unclosed('"')
  }

  /** After a dollar sign: a variable, something only a shell can do, or a dollar sign. */
  #dollar(): PasteProblem | undefined {
    const rest = this.#text.slice(this.#at, this.#at + 4096)
    const [whole = '', bare, braced] = /^(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*(?::-[^}$`]*)?)\})/.exec(rest) ?? []
    const variable = bare ?? braced
    if (variable !== undefined) {
      this.#add(`\${${variable}}`)
      this.#at += whole.length
      return undefined
    }
    if (rest.startsWith('(') || rest.startsWith('{')) return onlyShell(`$${rest[0]}`)
    this.#add('$$')
    return undefined
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text
  }

  #end(): void {
    if (this.#word !== undefined) this.#words.push(this.#word)
    this.#word = undefined
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end + 1
  }
}

const literal = (text: string): string => text.replaceAll('$', '$$$$')

const onlyShell = (sign: string): PasteProblem => ({
  en: `"${sign}" is for a shell, and none reads this. Paste one plain command with its arguments.`,
  zh: `“${sign}”只有 shell 才能理解，而这里不经过 shell。请粘贴一条普通命令及其参数。`,
})

const unclosed = (quote: string): PasteProblem => ({
  en: `A quote (${quote}) is not closed.`,
  zh: `引号（${quote}）没有闭合。`,
})
