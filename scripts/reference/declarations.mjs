import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Reads the declarations that the compiler wrote, as text. The compiler has no programming interface any more, and what it writes
 * is regular: one declaration after the other, each behind its comment.
 */
export const createDeclarations = () => {
  const files = new Map()
  const read = (file) => {
    if (!files.has(file)) files.set(file, parse(readFileSync(file, 'utf8')))
    return files.get(file)
  }

  /** Every name that a module exports, with the declaration behind it; undefined for what comes out of a package. */
  const exportsOf = (file) => {
    const { own, passed } = read(file)
    const names = new Map([...own].map(([name, declaration]) => [name, declaration]))
    for (const { names: specifiers, from } of passed) {
      const target = from.startsWith('.') ? join(dirname(file), from.replace(/\.js$/, '.d.ts')) : undefined
      if (specifiers === '*') {
        if (target) for (const [name, declaration] of exportsOf(target)) names.set(name, declaration)
        continue
      }
      for (const [name, as] of specifiers) names.set(as, target && find(target, name))
    }
    return names
  }

  const find = (file, name) => {
    if (!existsSync(file)) return undefined
    const { own, local, imported, passed } = read(file)
    if (own.has(name)) return own.get(name)
    if (local.has(name)) return local.get(name)
    for (const { names, from } of [...passed, ...imported]) {
      const target = from.startsWith('.') && join(dirname(file), from.replace(/\.js$/, '.d.ts'))
      if (!target) continue
      if (names === '*') {
        const found = exportsOf(target).get(name)
        if (found) return found
        continue
      }
      const [original] = names.find(([, as]) => as === name) ?? []
      if (original) return find(target, original)
    }
    return undefined
  }

  return { exportsOf }
}

const statement = /(?:^|\n)((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)((?:export |declare |import )[^\n]*)/g

const parse = (text) => {
  const own = new Map()
  const local = new Map()
  const passed = []
  const imported = []
  for (const { comment, code } of statements(text)) {
    const list = /^(export|import)\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*'([^']+)')?/.exec(code)
    const all = /^export \* from '([^']+)'/.exec(code)
    if (all) passed.push({ names: '*', from: all[1] })
    else if (list?.[3]) (list[1] === 'export' ? passed : imported).push({ names: specifiers(list[2]), from: list[3] })
    else if (list) for (const [name, as] of specifiers(list[2])) own.set(as, local.get(name) ?? own.get(name))
    else {
      const named =
        /^(export )?(?:declare )?(?:abstract )?(interface|type|class|const|function|enum|let|var) ([\w$]+)/.exec(code)
      if (!named) continue
      const [, isExported, kind, name] = named
      const target = isExported ? own : local
      const before = target.get(name)
      // Overloads, and a constant with a type of its name.
      target.set(name, {
        kind: before?.kind ?? kind,
        comment: before?.comment || comment,
        code: before ? `${before.code}\n${code}` : code,
      })
    }
  }
  return { own, local, passed, imported }
}

const specifiers = (list) =>
  list
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter(Boolean)
    .map((part) => {
      const [name, as = name] = part.split(/\s+as\s+/)
      return [name, as]
    })

/** The statements at the top of a file: each from its first word to where its brackets are closed and a line ends. */
function* statements(text) {
  statement.lastIndex = 0
  for (let match = statement.exec(text); match; match = statement.exec(text)) {
    const start = match.index + match[0].length - match[2].length
    const end = endOf(text, start)
    yield { comment: plain(match[1]), code: text.slice(start, end).trim() }
    statement.lastIndex = end
  }
}

const endOf = (text, start) => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const skipped = skipQuiet(text, at)
    if (skipped > at) {
      at = skipped - 1
      continue
    }
    const character = text[at]
    if ('{([<'.includes(character)) depth += 1
    // The head of an arrow is no bracket.
    else if ('})]'.includes(character) || (character === '>' && text[at - 1] !== '=')) depth -= 1
    else if (character === ';' && depth === 0) return at + 1
    if (character === '}' && depth === 0 && /^\n|^$/.test(text.slice(at + 1, at + 2))) return at + 1
  }
  return text.length
}

/** Behind a comment or a text that begins here; brackets in it are none. */
const skipQuiet = (text, at) => {
  if (text.startsWith('/*', at)) return text.indexOf('*/', at) + 2
  if (text.startsWith('//', at)) return text.indexOf('\n', at)
  const quote = text[at]
  if (quote !== "'" && quote !== '"' && quote !== '`') return at
  let end = at + 1
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1
  return end + 1
}

/** A comment as prose. */
export const plain = (comment) =>
  comment
    .replace(/^\/\*\*|\*\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .replace(/\\@/g, '@')
    .trim()
