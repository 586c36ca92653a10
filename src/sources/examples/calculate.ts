/** A mistake in an expression, with where it is. */
export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError'
}

const longest = 1000
const deepest = 100

const functions: Readonly<Record<string, (...numbers: number[]) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  cos: Math.cos,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log: Math.log10,
  log2: Math.log2,
  max: Math.max,
  min: Math.min,
  pow: Math.pow,
  round: Math.round,
  sin: Math.sin,
  sqrt: Math.sqrt,
  tan: Math.tan,
}
const constants: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E, tau: 2 * Math.PI }

/**
 * The value of an arithmetic expression: `+ - * / // % ** ()`, the functions and constants above, with Python's
 * precedence. A small parser of its own, because the alternative, `eval`, runs whatever a model writes.
 */
export const calculate = (expression: string): number => {
  if (expression.length > longest) throw new ExpressionError(`The expression has over ${longest} characters.`)
  const parser = new Parser(expression)
  const value = parser.sum(0)
  parser.end()
  if (!Number.isFinite(value)) throw new ExpressionError('The result is not a finite number.')
  return value
}

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  sum(depth: number): number {
    let value = this.#product(depth + 1)
    for (;;) {
      if (this.#take('+')) value += this.#product(depth + 1)
      else if (this.#take('-')) value -= this.#product(depth + 1)
      else return value
    }
  }

  #product(depth: number): number {
    let value = this.#sign(depth + 1)
    for (;;) {
      if (this.#take('//')) value = Math.floor(value / this.#divisor(depth))
      else if (this.#take('/')) value /= this.#divisor(depth)
      else if (this.#take('%')) value = modulo(value, this.#divisor(depth))
      else if (!this.#peek('**') && this.#take('*')) value *= this.#sign(depth + 1)
      else return value
    }
  }

  #divisor(depth: number): number {
    const value = this.#sign(depth + 1)
    if (value === 0) throw new ExpressionError('Division by zero.')
    return value
  }

  #sign(depth: number): number {
    if (depth > deepest) throw new ExpressionError('The expression is nested too deeply.')
    if (this.#take('-')) return -this.#sign(depth + 1)
    if (this.#take('+')) return this.#sign(depth + 1)
    return this.#power(depth + 1)
  }

  #power(depth: number): number {
    const base = this.#atom(depth + 1)
    // Binds tighter than a sign before it and takes one after it: -2**2 is -4, 2**-1 is 0.5.
    return this.#take('**') || this.#take('^') ? base ** this.#sign(depth + 1) : base
  }

  #atom(depth: number): number {
    if (this.#take('(')) {
      const value = this.sum(depth + 1)
      this.#expect(')')
      return value
    }
    const number = this.#match(/(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y)
    if (number) return Number(number.replaceAll('_', ''))
    const name = this.#match(/[A-Za-z_][A-Za-z0-9_]*/y)
    if (name === undefined) throw this.#unexpected()
    return this.#named(name, depth)
  }

  #named(name: string, depth: number): number {
    if (this.#take('(')) {
      const fn = Object.hasOwn(functions, name) ? functions[name] : undefined
      if (!fn) throw new ExpressionError(`Unknown function '${name}'. Known: ${Object.keys(functions).join(', ')}.`)
      const numbers = [this.sum(depth + 1)]
      while (this.#take(',')) numbers.push(this.sum(depth + 1))
      this.#expect(')')
      return fn(...numbers)
    }
    if (Object.hasOwn(constants, name)) return constants[name]!
    throw new ExpressionError(`Unknown name '${name}'. Known: ${Object.keys(constants).join(', ')}.`)
  }

  end(): void {
    this.#space()
    if (this.#at < this.#text.length) throw this.#unexpected()
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #peek(word: string): boolean {
    this.#space()
    return this.#text.startsWith(word, this.#at)
  }

  #take(word: string): boolean {
    if (!this.#peek(word)) return false
    this.#at += word.length
    return true
  }

  #expect(word: string): void {
    if (!this.#take(word)) throw this.#unexpected()
  }

  #match(pattern: RegExp): string | undefined {
    this.#space()
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #unexpected(): ExpressionError {
    const found = this.#text[this.#at]
    return new ExpressionError(
      found === undefined ? 'The expression ends too early.' : `Unexpected '${found}' at position ${this.#at + 1}.`,
    )
  }
}

/** As Python's: the result has the divisor's sign. */
const modulo = (a: number, b: number): number => ((a % b) + b) % b
