// What each store costs, on tools of about 0.8 KB. Runs on the compiled code: npm run build && node bench/storage.mjs [tools]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, hrtime, version } from 'node:process'
import { openStore } from '../dist/storage/open.js'

const count = Number(argv[2] ?? 10_000)
const words = 'search create update delete list message file branch issue calendar weather invoice query report'.split(
  ' ',
)

const parameter = (n) => ({ type: 'string', description: `The ${words[n % words.length]} that the tool works on` })

const tool = (n) => ({
  id: `ns${n % 20}.tool_${n}`,
  namespace: `ns${n % 20}`,
  source: `source${n % 20}`,
  definition: {
    name: `tool_${n}`,
    description: `${words[n % words.length]} something with ${words[(n * 7) % words.length]}. `.repeat(4),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        [0, 1, 2, 3, 4].map((k) => [`${words[(n + k) % words.length]}_${k}`, parameter(n + k)]),
      ),
      required: [`${words[n % words.length]}_0`],
    },
  },
  tags: [words[n % words.length], `tag${n % 100}`],
  category: words[n % 7],
  useCount: n % 13,
  lastUsed: n % 13 === 0 ? null : 1_760_000_000_000 + n,
  temperature: n % 13 >= 10 ? 'hot' : n % 13 >= 3 ? 'warm' : 'cold',
})

const tools = Array.from({ length: count }, (_, n) => tool(n))

/** Median of wall-clock milliseconds. */
const time = async (runs, work) => {
  const times = []
  for (let run = 0; run < runs; run++) {
    const start = hrtime.bigint()
    await work(run)
    times.push(Number(hrtime.bigint() - start) / 1e6)
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)]
}

const measure = async (backend) => {
  const path = mkdtempSync(join(tmpdir(), 'pegboard-bench-'))
  const figures = {}
  let store = await openStore({ backend, path })
  const reopen = async () => {
    await store[Symbol.asyncDispose]()
    store = await openStore({ backend, path })
  }
  try {
    figures['save, empty store'] = await time(20, (n) => store.save(tool(n)))
    figures[`saveMany ${count}`] = await time(3, () => store.saveMany(tools))
    figures[`save, ${count} stored`] = await time(10, (n) => store.save({ ...tool(n), useCount: 50 + n }))
    figures['100 saves at once'] = await time(5, (run) =>
      Promise.all(Array.from({ length: 100 }, (_, n) => store.save({ ...tool(n), useCount: run }))),
    )
    if (backend !== 'memory') figures['close and open'] = await time(5, reopen)
    figures[`load ${count}`] = await time(9, () => store.load())
    figures['by tag (1 %)'] = await time(20, (n) => store.loadByTag(`tag${n}`))
    figures['by temperature, 20 hot'] = await time(20, () => store.loadByTemperature('hot', 20))
    figures['delete one'] = await time(10, (n) => store.delete(tool(n).id))
    figures.validate = await time(3, () => store.validate())
    return figures
  } finally {
    await store[Symbol.asyncDispose]()
    rmSync(path, { recursive: true, force: true })
  }
}

const results = {}
for (const backend of ['memory', 'json', 'sqlite']) results[backend] = await measure(backend)

const size = Math.round(JSON.stringify(tools[0]).length)
console.log(`storage, ${count} tools of ${size} bytes, Node ${version}; median milliseconds`)
const rows = [...new Set(Object.values(results).flatMap(Object.keys))]
const cell = (value) => (value === undefined ? '-' : value.toFixed(value < 10 ? 2 : 0)).padStart(10)
console.log(
  `${''.padEnd(26)}${Object.keys(results)
    .map((name) => name.padStart(10))
    .join('')}`,
)
for (const row of rows)
  console.log(
    `${row.padEnd(26)}${Object.values(results)
      .map((figures) => cell(figures[row]))
      .join('')}`,
  )
