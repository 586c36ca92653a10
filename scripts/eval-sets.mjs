// The public tool-retrieval sets that search is measured on, and what a ranking is worth on one query.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every set of a folder, or those named: a folder with tools.jsonl and queries.jsonl each. */
export function findSets(path, only) {
  if (!existsSync(path)) return []
  return readdirSync(path)
    .filter((name) => existsSync(join(path, name, 'tools.jsonl')) && existsSync(join(path, name, 'queries.jsonl')))
    .filter((name) => !only || only.includes(name))
    .map((name) => ({
      name,
      tools: readLines(join(path, name, 'tools.jsonl')).map(toTool),
      queries: readLines(join(path, name, 'queries.jsonl')),
    }))
}

function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
}

function toTool({ name, description, input_schema, server, category, tags }) {
  return {
    id: name,
    name,
    namespace: server ?? '',
    source: server ?? '',
    tags: tags ?? [],
    ...(category ? { category } : {}),
    definition: { name, description: description ?? '', inputSchema: input_schema ?? {} },
  }
}

/** One query's measures, of which `ndcg` is nDCG@10; a hit on an equivalent name counts once. */
export function measure(ranked, { relevant, equivalent = {} }) {
  const same = new Map(Object.entries(equivalent).flatMap(([name, others]) => others.map((other) => [other, name])))
  const top = [...new Set(ranked.map((id) => same.get(id) ?? id))].slice(0, 10)
  const wanted = new Set(relevant)
  const hits = (k) => top.slice(0, k).filter((id) => wanted.has(id)).length
  const gain = (places) => places.reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0)
  const ideal = gain(Array.from({ length: Math.min(10, wanted.size) }, (_, i) => i))
  return {
    r1: hits(1) / wanted.size,
    r5: hits(5) / wanted.size,
    ndcg: gain(top.flatMap((id, i) => (wanted.has(id) ? [i] : []))) / ideal,
    complete: hits(10) === wanted.size ? 1 : 0,
  }
}
