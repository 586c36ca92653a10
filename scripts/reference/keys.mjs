import { exampleOf } from './example.mjs'
import { code, grouped, printed, sentence, table } from './markdown.mjs'
import { isSection, plain, typeOf } from './types.mjs'

/** Every key of the file, by section: what it is, what it may hold, and an example with all of them. */
export const renderKeys = ({ schema, outsideSettings, toFlag, isLive }) => {
  const outside = (path) => fromOutside(path, outsideSettings, toFlag)
  const { sources, profiles, services, mcpServers, servers, $schema, ...rest } = schema.properties
  const parts = [
    sourceParts(sources),
    part({ title: 'Profiles', path: ['profiles'], schema: profiles, outside, isLive }),
    ...Object.entries(rest).map(([key, each]) =>
      part({ title: code(key), path: [key], schema: each, outside, isLive }),
    ),
    `### Other names\n\n${otherNames({ services, mcpServers, servers, $schema })}`,
  ]
  return parts.join('\n\n')
}

/** Flags and variables that stand for a key, for the page about the command line. */
export const renderOutside = ({ schema, outsideSettings, toFlag }) => {
  const byPath = grouped(outsideSettings, ({ path }) => path.join('.'))
  const rows = [...byPath].map(([path, settings]) => [
    settings.flatMap(({ flag }) => (flag === undefined ? [] : [code(toFlag(flag))])).join(', ') || '–',
    settings.flatMap(({ env }) => env.map(code)).join(', '),
    code(path),
    defaultOf(settings[0].path.reduce((here, key) => here?.properties?.[key], schema)),
  ])
  return table(['flag', 'environment', 'key of the file', 'default'], rows)
}

/** Where more is said. */
const pages = {
  recall: 'recall.md',
  telemetry: 'rest.md',
  xiaozhi: 'xiaozhi.md',
  auth: 'security.md',
  vault: 'identity.md',
  search: 'embeddings.md',
}

/** What a section cannot be without: it stands before it in its example, so that each can be used as it is printed. */
const beside = {
  auth: { server: { publicUrl: 'https://tools.example.com' }, profiles: { eng: {} } },
}

const part = ({ title, path, schema, outside, isLive, known = new Set(), example }) => {
  const rows = keysOf(schema, []).filter(({ key }) => !known.has(key))
  const hasOutside = rows.some(({ segments }) => outside([...path, ...segments]) !== '')
  const head = [
    ...['key', 'value', 'default', 'meaning'],
    ...(isLive ? ['a change counts'] : []),
    ...(hasOutside ? ['flag, variable'] : []),
  ]
  const cells = rows.map(({ key, segments, schema: each, isRequired }) => [
    code(key),
    typeOf(each),
    isRequired ? 'required' : defaultOf(each),
    each.description ?? '',
    ...(isLive
      ? [isLive([...path, ...segments.map((name) => name.replace('[]', ''))]) ? 'at once' : 'at the next start']
      : []),
    ...(hasOutside ? [outside([...path, ...segments])] : []),
  ])
  const more = pages[path[0]]
  const shown = example ?? { ...beside[path[0]], ...nested(path, exampleOf(schema)) }
  return [
    `### ${title}`,
    '',
    `${sentence(schema.description ?? '')}${more ? ` More: [${more}](${more}).` : ''}`,
    '',
    table(head, cells),
    '',
    '```json',
    printed(shown),
    '```',
  ].join('\n')
}

const kinds = {
  stdio: ['github', 'A program on this machine that speaks MCP on standard input and output'],
  http: ['docs', 'An MCP server at an address (Streamable HTTP)'],
  sse: ['old-docs', 'An MCP server of the first transport over HTTP'],
  websocket: ['live', 'An MCP server behind a WebSocket'],
  openapi: ['shop', 'The operations of an HTTP API'],
  catalog: ['archive', 'Definitions without anything that runs them'],
  embedded: ['mine', 'A module of your own'],
  scripts: ['reports', 'Scripts of your own over the other tools'],
}

/** What all kinds have in common stands once, before them. */
const sourceParts = (sources) => {
  const variants = sources.additionalProperties.anyOf.map(plain)
  const [first, ...others] = variants
  const shared = Object.keys(first.properties).filter(
    (key) => key !== 'type' && others.every(({ properties }) => same(properties[key], first.properties[key])),
  )
  const common = {
    description: `${sources.description}. These keys every source may have`,
    properties: Object.fromEntries(shared.map((key) => [key, first.properties[key]])),
  }
  const none = () => ''
  const known = new Set([...shared, ...keysOf(common, []).map(({ key }) => key)])
  const example = { sources: { github: { command: 'npx', ...exampleOf(common) } } }
  const parts = variants.map((variant) => {
    const type = variant.properties.type.const
    const [name, description] = kinds[type]
    const own = Object.fromEntries(Object.entries(variant.properties).filter(([key]) => !shared.includes(key)))
    const schema = { ...variant, properties: own, description }
    const shown = { sources: { [name]: exampleOf(schema) } }
    return part({ title: `Sources: ${code(type)}`, path: ['sources'], schema, outside: none, known, example: shown })
  })
  return [part({ title: 'Sources', path: ['sources'], schema: common, outside: none, example }), ...parts].join('\n\n')
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)

/** The keys below a schema with their places; of lists and records what one of their items holds. */
const keysOf = (schema, segments) => {
  const inner = plain(schema)
  if (inner.type === 'array') return keysOf(inner.items, [...segments.slice(0, -1), `${segments.at(-1) ?? ''}[]`])
  if (isSection(inner.additionalProperties)) return keysOf(inner.additionalProperties, [...segments, 'NAME'])
  return Object.entries(inner.properties ?? {}).flatMap(([name, each]) => {
    const here = [...segments, name]
    const isRequired = (inner.required ?? []).includes(name) && name !== 'type'
    const row = { key: here.join('.'), segments: here, schema: each, isRequired }
    return isSection(each) ? [...(plain(each).type === 'array' ? [row] : []), ...keysOf(each, here)] : [row]
  })
}

const fromOutside = (path, settings, toFlag) =>
  settings
    .filter((setting) => same(setting.path, path))
    .flatMap(({ flag, env }) => [...(flag === undefined ? [] : [toFlag(flag)]), ...env])
    .map(code)
    .join(', ')

const defaultOf = (schema) => {
  const value = plain(schema ?? {}).default ?? schema?.default
  return value === undefined ? '–' : code(typeof value === 'string' ? value : JSON.stringify(value))
}

const nested = (path, value) => path.reduceRight((inner, key) => ({ [key]: inner }), value)

const otherNames = (keys) =>
  table(
    ['key', 'meaning'],
    Object.entries(keys).map(([key, { description }]) => [code(key), description]),
  )
