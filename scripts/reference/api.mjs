import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createDeclarations } from './declarations.mjs'

const groups = [
  ['Functions and values', ['function', 'const', 'let', 'var', 'enum']],
  ['Classes', ['class']],
  ['Interfaces', ['interface']],
  ['Types', ['type']],
]

/**
 * The pages of the API reference by file name, from the declarations in `folder` (a built `dist`): one for each entry of the package.
 * What several entries export is described at the first and linked from the others.
 */
export const apiPages = (root, folder = 'dist') => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = Object.entries(exports)
    .filter(([, target]) => target.types)
    .map(([path, target]) => ({
      name: path === '.' ? 'pegboard' : `pegboard/${path.slice(2)}`,
      page: path === '.' ? 'pegboard.md' : `${path.slice(2).replaceAll('/', '-')}.md`,
      file: resolve(root, target.types.replace('./dist', folder)),
    }))
  const { exportsOf } = createDeclarations()
  const described = new Map()
  const pages = entries.map((entry) => [entry.page, entryPage(entry, exportsOf(entry.file), described)])
  return Object.fromEntries([...pages, ['README.md', index(entries)]])
}

const index = (entries) => `# API reference

Every name that the package exports, with its comment and its signature, written from the compiled declarations by \`npm run docs\`. How the parts
are used together is in [api.md](../api.md).

| import from | page |
| --- | --- |
${entries.map(({ name, page }) => `| \`${name}\` | [${page}](${page}) |`).join('\n')}
`

const entryPage = ({ name, page }, names, described) => {
  const known = []
  const fresh = []
  // By its own name first: snake_case twins are other names for it.
  const declared = ([exported, declaration]) => !declaration || declares(declaration, exported)
  const all = [...names].sort(byName)
  for (const [exported, declaration] of [...all.filter(declared), ...all.filter((one) => !declared(one))]) {
    const before = declaration && described.get(declaration)
    if (before && before.page !== page) known.push(`[${exported}](${before.page}#${before.anchor})`)
    else if (before) fresh.push({ exported, same: before })
    else {
      const entry = { exported, declaration, page, anchor: anchorOf(exported) }
      if (declaration) described.set(declaration, entry)
      fresh.push(entry)
    }
  }
  fresh.sort((a, b) => byName([a.exported], [b.exported]))
  const parts = groups.map(([title, kinds]) => {
    const group = fresh.filter(({ declaration, same }) =>
      kinds.includes((declaration ?? same?.declaration)?.kind ?? 'const'),
    )
    return group.length === 0 ? '' : `## ${title}\n\n${group.map(describe).join('\n\n')}\n\n`
  })
  const others = known.length === 0 ? '' : `## Also exported here\n\n${known.join(' · ')}\n`
  return `${`# \`${name}\`\n\n${parts.join('')}${others}`.trim()}\n`
}

const describe = ({ exported, declaration, same }) => {
  if (same) return `### ${exported}\n\nAnother name for [${same.exported}](#${same.anchor}).`
  if (!declaration) return `### ${exported}`
  const comment = forReaders(declaration.comment)
  return [`### ${exported}`, ...(comment ? [comment] : []), `\`\`\`ts\n${shown(declaration.code)}\n\`\`\``].join('\n\n')
}

/** As one would write it: no `declare`, no marks of private fields, two spaces, no semicolons. */
const shown = (code) =>
  forReaders(
    code
      .replace(/^export (?:declare )?/gm, '')
      .replace(/^\s+(?:#private|private .*);\n/gm, '')
      .replace(/^((?: {4})+)/gm, (indent) => ' '.repeat(indent.length / 2))
      .replace(/;$/gm, ''),
  )

const documents = {
  '000': "SAGE's MCPRegistry",
  '001': 'the xiaozhi MCP Agent',
  '002': 'RegistryTools',
  '003': "Agently's ToolManager",
  '004': "KWeaver's action recall",
}

/** Without the ids of requirements, and earlier designs by their names: those who use a library have neither at hand. */
const forReaders = (text) =>
  text
    .replace(/ ?\((?:(?:00\d-\d\d|00\d compat \d+|[A-Z]\d{1,3}(?:-[A-Z]?\d+)?)(?:, )?)+\)/g, '')
    .replace(/\b[Dd]ocument (00\d)('s)?/g, (_, number, of) => (of ? possessive(documents[number]) : documents[number]))
    .replace(/\b00\d-\d\d,? ?/g, '')

const possessive = (name) => (name.endsWith('s') ? `${name}'` : `${name}'s`)
const declares = ({ code }, name) =>
  new RegExp(`(?:interface|type|class|const|function|enum|let|var) ${name.replace('$', '\\$')}\\b`).test(code)
const anchorOf = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
const byName = ([a], [b]) =>
  a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : a < b ? -1 : 1
