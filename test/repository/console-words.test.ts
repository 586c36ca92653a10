import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import { root } from '../helpers/snippets.js'

/** Every file of the console as a syntax tree; what it says is found in whatever file it will be said in. */
const files = readdirSync(join(root, 'console/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => {
    const text = readFileSync(join(root, 'console/src', file), 'utf8')
    return { file, tree: parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node }
  })

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** What it holds is the same to everybody. */
const isCode = (node: Node): boolean =>
  node.type === 'JSXElement' && /^(?:code|kbd|pre|samp)$/.test(nameOf((node.openingElement as Node).name))

const walk = (node: Node, visit: (node: Node) => void, leaves: (node: Node) => boolean = () => false): void => {
  if (leaves(node)) return
  visit(node)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, leaves)
}

/** The text of a literal, also of a template without values. */
const textOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  const quasis = node.type === 'TemplateLiteral' ? (node.quasis as { value: { cooked: string } }[]) : []
  return quasis.length === 1 ? quasis[0]!.value.cooked : undefined
}

const nameOf = (node: unknown): string =>
  isNode(node) ? (textOf(node) ?? (typeof node.name === 'string' ? node.name : '')) : ''

interface Word {
  readonly file: string
  readonly key: string
  readonly en: string
  readonly zh: string
}

const han = /\p{Script=Han}/u

/** `key: ['English', '中文']`, wherever it stands. */
const words: readonly Word[] = files.flatMap(({ file, tree }) => {
  const found: Word[] = []
  walk(tree, (node) => {
    if (node.type !== 'Property' || !isNode(node.value) || node.value.type !== 'ArrayExpression') return
    const [en, zh, ...more] = (node.value.elements as readonly unknown[]).map(textOf)
    if (en === undefined || zh === undefined || more.length > 0) return
    const isPair = han.test(zh) || file.startsWith('i18n')
    if (isPair) found.push({ file, key: nameOf(node.key), en, zh })
  })
  return found
})

const named = ({ file, key }: Word): string => `${file}: ${key}`
const placesIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/\{\w+\}/g)].map(([place]) => place))].sort()

describe('the words of the console', () => {
  it('are found', () => {
    expect(words.length).toBeGreaterThan(500)
  })

  it('are in Chinese where there is anything to say', () => {
    // A name, an abbreviation, an example or a loan word, which has no plural there, is the same for everybody.
    const isName = ({ en, zh }: Word): boolean =>
      en.replace(/s$/, '') === zh.replace(/s$/, '') && !/[a-z]{2,} [a-z]{2,}/.test(en)
    expect(words.filter((word) => !han.test(word.zh) && !isName(word)).map(named)).toEqual([])
    // An example may be in the other language.
    expect(words.filter(({ en }) => han.test(en) && !/[a-z]{2,}/.test(en)).map(named)).toEqual([])
  })

  it('put in the same values in both languages', () => {
    const uneven = words.filter(({ en, zh }) => placesIn(en).join() !== placesIn(zh).join())
    expect(uneven.map(named)).toEqual([])
  })

  it('are all used', () => {
    const said = new Set<string>()
    for (const { file, tree } of files)
      walk(tree, (node) => {
        // As a key that is said, or in a type or a table of what is said.
        const text = textOf(node)
        if (text !== undefined && !file.startsWith(join('i18n', 'words'))) said.add(text)
        if (node.type === 'MemberExpression') said.add(nameOf(node.property))
        if (node.type === 'Property' && node.shorthand === true) said.add(nameOf(node.key))
      })
    for (const word of sentByGateway()) said.add(word)
    expect(words.filter(({ key }) => !said.has(key)).map(named)).toEqual([])
  })

  it('are everything that a page shows', () => {
    const bare = files.flatMap(({ file, tree }) => {
      const found: string[] = []
      const note = (text: string): void => {
        if (/[A-Za-z]{2,}/.test(text) && !isSame(text)) found.push(`${file}: ${text.trim().replace(/\s+/g, ' ')}`)
      }
      const look = (node: Node): void => {
        if (node.type === 'JSXText') note(String(node.value))
        if (node.type === 'JSXAttribute' && shown.test(nameOf(node.name))) note(textOf(node.value) ?? '')
      }
      walk(tree, look, isCode)
      return found
    })
    expect(bare).toEqual([])
  })
})

/** Attributes that people read. */
const shown = /^(?:title|alt|label|hint|lead|placeholder|aria-label|aria-description)$/

/** The same to whoever reads it: names, one word as it stands in a file, an address, a command. */
const isSame = (text: string): boolean =>
  /^\W*(?:pegboard\b.*|Pegboard|MCP|JSON|CSV|URL|CLI|TypeScript|[a-z][\w-]*|[\w.-]+[:=/@*]\S*)\W*$/s.test(text.trim())

/** Values of the admin API's types that are keys of words too, such as the effect of a rule. */
const sentByGateway = (): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const room of ['faces/admin', 'policy', 'model', 'sources', 'catalog', 'scanner', 'operations'])
    for (const file of readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts') && !file.includes('.test.'))
        for (const [, , word] of readFileSync(join(root, 'src', room, file), 'utf8').matchAll(/(['"])([a-z][\w-]*)\1/g))
          found.add(word!)
  return found
}
