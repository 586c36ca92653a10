import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { logZh } from '../serving/log-words.js'

const src = fileURLToPath(new URL('..', import.meta.url))

/**
 * Files whose sentences reach nobody's terminal as they are: the admin API answers the console, which tells codes in its
 * reader's language; the parts of the local line speak to each other, as replicas do; HTTP answers who asks in its language by the code; the words of metrics are for other programs; registering is refused to a client, in the language of MCP; the greeting
 * has a table of its own; definitions of services are read by the system.
 */
const elsewhere =
  /^(?:serving\/(?:admin|approvals|embedded)\/|cli\/terminal\/(?:greeting|examples|completion)|serving\/running\/(?:claims|dial|door|answers|pinned)|serving\/sources\/kept-registered|serving\/(?:peer-links|store-away|store-metrics|workers\/(?:peers-port|worker))|cli\/commands\/(?:admin-client|service\/(?:systemd-unit|launchd-plist|task-xml)))/

/** The code without comments and without what stands inside of `say(…)` and its kin or describes a metric, and the texts that are left in it. */
const outside = (text: string): readonly string[] => {
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(?:^|\s)\/\/ .*$/gm, '')
    // Patterns may hold quotes.
    .replace(/(?<=[(=,:!?&|]\s*)\/(?:\\.|\[[^\]]*\]|[^/\n\\])+\/[a-z]*/g, '')
  let left = ''
  for (let at = 0; at < code.length; ) {
    const next = code.slice(at).search(/\b(?:say|marked|words|both|refused|counter)\(/)
    left += next < 0 ? code.slice(at) : code.slice(at, at + next)
    at = next < 0 ? code.length : endOf(code, code.indexOf('(', at + next))
  }
  return [...left.matchAll(/(['"`])((?:\\.|(?!\1)[\s\S])*?)\1/g)].map((found) => found[2]!.replace(/\$\{[^}]*\}/g, '7'))
}

/** Behind the parenthesis that closes the one at `from`; what is quoted is skipped. */
const endOf = (code: string, from: number): number => {
  let depth = 0
  let quote = ''
  for (let at = from; at < code.length; at++) {
    const char = code[at]!
    if (quote !== '') {
      if (char === '\\') at++
      else if (char === quote) quote = ''
    } else if (/['"`]/.test(char)) quote = char
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at + 1
  }
  return code.length
}

const isSentence = (text: string): boolean =>
  /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/.test(
    text.replace(/(?:npx )?pegboard [^.;]*|^(?:cd|docker|npm|pnpm|yarn|bun) .*/g, ''),
  )

const files = ['cli', 'serving']
  .flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !elsewhere.test(file))

describe('what the command line says (U9)', () => {
  it.each(files)('%s says it in both languages', (file) => {
    const sentences = outside(readFileSync(join(src, file), 'utf8')).filter(isSentence)
    // Messages of the log may have their Chinese in the table of the log instead.
    expect(sentences.filter((text) => !/\p{Script=Han}/u.test(logZh(text)))).toEqual([])
  })
})
