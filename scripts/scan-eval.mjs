// Measures the scanner: how much of the labelled corpus it finds, and how often it is wrong about harmless tools.
//
//   npm run scan-eval                 the corpus, and the real tools of $PEGBOARD_TRAIN and $PEGBOARD_EVAL
//   npm run scan-eval -- --missed     also what was missed or wrong, of the halves that rules are made with
//   npm run scan-eval -- --write      also writes the tables into docs/scanner.md
//
// Found is a finding of at least medium weight; a high one also holds the tool. Real tools are not part of the repository: operations.jsonl.gz
// (name, title, text, params) in ../shared/train, sets with tools.jsonl in ../shared/eval; what is not there is said and left out.
// Every second one of them is held out: only counted, never shown.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { scan } from '../dist/scanner/scan.js'
import { attacks, hardNegatives } from '../test/scanner/corpus.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: { missed: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const weights = { low: 1, medium: 2, high: 3 }
const percent = (part, whole, digits) => `${((100 * part) / Math.max(1, whole)).toFixed(digits)} %`

/** How grave each is, and what it took of the processor. */
const measure = (items) => {
  const before = process.cpuUsage()
  const found = items.map(({ definition }) => scan(definition))
  const { user, system } = process.cpuUsage(before)
  const gravest = found.map(([first]) => (first === undefined ? 0 : weights[first.severity]))
  const atLeast = (weight) => gravest.filter((each) => each >= weight).length
  return { found, gravest, medium: atLeast(2), high: atLeast(3), ms: (user + system) / 1000 / items.length }
}

const show = (head, rows) => {
  const lines = [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`)
  console.log(`\n${lines.join('\n')}`)
  return lines.join('\n')
}

const corpusRows = (items) => {
  const row = (name, some) => {
    const { medium, high } = measure(some)
    return [name, some.length, percent(medium, some.length, 1), percent(high, some.length, 1)]
  }
  const halves = [
    ['tuning half', items.filter(({ held }) => !held)],
    ['held out', items.filter(({ held }) => held)],
  ]
  const families = [...new Set(halves[1][1].map(({ family }) => family))].filter((one) => !one.startsWith('disguise-'))
  return [
    ...halves.flatMap(([name, some]) => [
      row(`**${name}**`, some),
      row(
        `${name}, English`,
        some.filter(({ lang }) => lang === 'en'),
      ),
      row(
        `${name}, Chinese and mixed`,
        some.filter(({ lang }) => lang !== 'en'),
      ),
    ]),
    ...families.map((family) =>
      row(
        `held out: ${family}`,
        halves[1][1].filter((each) => each.family === family),
      ),
    ),
    row(
      'held out: disguises',
      halves[1][1].filter(({ family }) => family.startsWith('disguise-')),
    ),
  ]
}

const operations = () => {
  const file = resolve(root, process.env.PEGBOARD_TRAIN ?? '../shared/train', 'operations.jsonl.gz')
  if (!existsSync(file)) return void console.log(`No ${file}; set PEGBOARD_TRAIN to a folder that has it. Left out.`)
  const rows = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  return rows.map((row) => {
    const { name, title, text, params } = JSON.parse(row)
    const properties = Object.fromEntries((params ?? []).map((key) => [key, { type: 'string' }]))
    return { id: name, definition: { name, title, description: text, inputSchema: { type: 'object', properties } } }
  })
}

const realTools = () => {
  const folder = resolve(root, process.env.PEGBOARD_EVAL ?? '../shared/eval')
  if (!existsSync(folder)) return void console.log(`No ${folder}; set PEGBOARD_EVAL to a folder of sets. Left out.`)
  const names = readdirSync(folder).filter(
    (name) =>
      existsSync(join(folder, name, 'tools.jsonl')) &&
      !name.endsWith('-golden-zh') &&
      name !== 'livemcpbench' &&
      name !== 'livemcpbench-zh',
  )
  return names.flatMap((name) =>
    readFileSync(join(folder, name, 'tools.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((row) => {
        const { name: tool, description, input_schema } = JSON.parse(row)
        return { id: `${name} ${tool}`, definition: { name: tool, description, inputSchema: input_schema ?? {} } }
      }),
  )
}

const harmless = [
  ['hard negatives of the corpus', hardNegatives(), () => true],
  ...[
    ['operations of public APIs', operations()],
    ['tools of MCP servers and function sets', realTools()],
  ].flatMap(([name, items]) =>
    items === undefined
      ? []
      : [
          [`${name}, tuning half`, items.filter((_, at) => at % 2 === 0), () => true],
          [`${name}, held out`, items.filter((_, at) => at % 2 === 1), () => false],
        ],
  ),
]

const all = attacks()
const tables = [show(['attacks', 'texts', 'found', 'held'], corpusRows(all))]
const wrong = []
tables.push(
  show(
    ['harmless', 'tools', 'found', 'held', 'ms per tool'],
    harmless.map(([name, items, isShown]) => {
      const { found, gravest, medium, high, ms } = measure(items)
      if (isShown()) items.forEach(({ id }, at) => void (gravest[at] >= 2 && wrong.push([name, id, found[at]])))
      return [name, items.length, percent(medium, items.length, 2), percent(high, items.length, 2), ms.toFixed(3)]
    }),
  ),
)
if (flags.missed) {
  const missed = all.filter(
    ({ held, definition }) => !held && !scan(definition).some(({ severity }) => severity !== 'low'),
  )
  for (const { id, text } of missed) console.log(`missed ${id}: ${text.slice(0, 160)}`)
  for (const [name, id, findings] of wrong)
    console.log(
      `${name}: ${id}: ${findings
        .filter(({ severity }) => severity !== 'low')
        .map(({ severity, rule, excerpt }) => `${severity} ${rule} “${excerpt}”`)
        .join('; ')}`,
    )
}
if (flags.write) {
  const page = join(root, 'docs/scanner.md')
  const parts = readFileSync(page, 'utf8').split(/(?<=<!-- measured -->\n)[\s\S]*(?=<!-- \/measured -->)/)
  writeFileSync(page, parts.join(`\n${tables.join('\n\n')}\n\n`))
}
