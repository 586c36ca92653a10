// Search at 1,000, 10,000 and 100,000 synthetic tools: build, query, one tool added, memory; beside MiniSearch and SQLite
// FTS5 in the same run, where they are installed.
//
//   npm run build && node --expose-gc bench/search.mjs [--sizes 1000,10000] [--built dist] [--alone]
//   node --expose-gc bench/search.mjs --beside ../before/dist
//
// --alone leaves the others out. --beside measures another build's dist in the same run, query by query in turn, so that what else
// the machine does falls on both alike; it prints both and the ratio, and leaves the others out.
//
// Tools are drawn from fixed word lists by a seeded generator (65 % English, 35 % Chinese), so every run is the same.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    built: { type: 'string', default: resolve(root, 'dist') },
    alone: { type: 'boolean', default: false },
    beside: { type: 'string' },
  },
})
const loadBuild = async (folder) => {
  const load = (path) => import(pathToFileURL(resolve(folder, path)).href)
  return {
    ...(await load('search/search.js')),
    ...(await load('search/model/built-in.js')),
    ...(await load('search/live-search.js')),
  }
}
const build = await loadBuild(flags.built)

const verbs =
  'create delete list update get search send move copy open close start stop merge export import read write resize convert'.split(
    ' ',
  )
const objects =
  'issue file message branch event invoice user image table alert device song document bucket pod order ticket note report channel'.split(
    ' ',
  )
const services =
  'github slack jira gmail notion stripe aws azure postgres redis docker kubernetes spotify zoom salesforce hubspot figma trello'.split(
    ' ',
  )
const details =
  'with given title by name for a date range sorted newest first including labels attachments owner status priority comments and metadata optional filter'.split(
    ' ',
  )
const zhVerbs =
  '创建 删除 列出 更新 获取 搜索 发送 移动 复制 打开 关闭 启动 停止 合并 导出 导入 读取 写入 转换 查询'.split(' ')
const zhObjects =
  '工单 文件 消息 分支 日程 发票 用户 图片 数据表 告警 设备 歌曲 文档 存储桶 容器 订单 车票 笔记 报告 频道'.split(' ')
const zhDetails =
  '根据名称 按日期范围 返回最新结果 包括标签 附件 负责人 状态 优先级 评论 支持筛选 可选参数 当前项目'.split(' ')
const queries = [
  'create an issue in github',
  'send a message to a slack channel',
  'delete file',
  'list overdue invoices',
  'merge branch',
  'export report as pdf',
  'play a song',
  'resize image',
  'search tickets by label',
  'which pods are restarting',
  '发送消息',
  '删除文件',
  '查询订单状态',
  '打开文档',
  '创建一个日程',
  '导出报告',
]

let seed = 42
const random = () => {
  seed = (seed * 1664525 + 1013904223) % 2 ** 32
  return seed / 2 ** 32
}
const pick = (list) => list[Math.floor(random() * list.length)]
const some = (list, count) => Array.from({ length: count }, () => pick(list))

const makeTool = (i) => {
  const [verb, object, service] = [pick(verbs), pick(objects), pick(services)]
  const name = `${verb}_${object}_${i}`
  const english = random() < 0.65
  const description = english
    ? `${verb} ${object} ${some(details, 10).join(' ')} in ${service}`
    : `${pick(zhVerbs)}${pick(zhObjects)}，${some(zhDetails, 3).join('，')}`
  const parameters = Object.fromEntries(
    some(objects, 3).map((word) => [
      `${word}_id`,
      { type: 'string', description: `${word} ${some(details, 3).join(' ')}` },
    ]),
  )
  return {
    id: `${service}.${name}`,
    name,
    namespace: service,
    source: service,
    tags: [object],
    definition: { name, description, inputSchema: { type: 'object', properties: parameters } },
  }
}

const percentile = (times, share) =>
  times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]
const timed = (task) => {
  const from = performance.now()
  task()
  return performance.now() - from
}
const heap = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

const pegboard = ({ createSearch }, method, options = {}, name = method) => ({
  name: `pegboard ${name}`,
  open: async (tools) => {
    const search = createSearch(options)
    search.apply({ added: tools, changed: [], removed: [] })
    // Reading the tools for meaning belongs to building.
    await search.ready()
    return {
      query: (text) => search.searchSync(text, { method, limit: 10 }).results.length,
      add: (tool) => search.apply({ added: [tool], changed: [], removed: [] }),
    }
  },
})

const plainText = ({ definition }) => ({
  description: definition.description,
  parameters: Object.entries(definition.inputSchema.properties)
    .map(([name, { description }]) => `${name} ${description}`)
    .join(' '),
})

const miniSearch = async () => {
  const { default: MiniSearch } = await import('minisearch')
  return {
    name: 'minisearch',
    open: (tools) => {
      const index = new MiniSearch({ fields: ['name', 'description', 'parameters'] })
      const add = (tool) => index.add({ id: tool.id, name: tool.name.replaceAll('_', ' '), ...plainText(tool) })
      tools.forEach(add)
      return { query: (text) => index.search(text).slice(0, 10).length, add }
    },
  }
}

const fts5 = async () => {
  const { default: Database } = await import('libsql')
  return {
    name: 'sqlite fts5',
    open: (tools) => {
      const db = new Database(':memory:')
      db.exec('CREATE VIRTUAL TABLE tools USING fts5(id UNINDEXED, name, description, parameters)')
      const insert = db.prepare('INSERT INTO tools VALUES (?, ?, ?, ?)')
      const add = (tool) => {
        const { description, parameters } = plainText(tool)
        insert.run(tool.id, tool.name.replaceAll('_', ' '), description, parameters)
      }
      db.exec('BEGIN')
      tools.forEach(add)
      db.exec('COMMIT')
      const select = db.prepare('SELECT id FROM tools WHERE tools MATCH ? ORDER BY rank LIMIT 10')
      const quoted = (text) =>
        text
          .split(' ')
          .map((word) => `"${word}"`)
          .join(' OR ')
      return { query: (text) => select.all(quoted(text)).length, add }
    },
  }
}

const enginesOf = (from) => [
  pegboard(from, 'bm25'),
  pegboard(from, 'auto', {}, 'auto, no model'),
  pegboard(from, 'auto', { embedding: from.createBuiltInEmbeddings() }),
]
const engines = enginesOf(build)
if (!flags.alone && !flags.beside) {
  for (const other of [miniSearch, fts5]) {
    try {
      engines.push(await other())
    } catch {
      console.log(`${other.name} is not installed; left out.`)
    }
  }
}

console.log(`Node ${process.versions.node}, ${queries.length} queries (English and Chinese), top 10`)
const sizes = flags.sizes.split(',').map(Number)
if (sizes.some((size) => !(Number.isInteger(size) && size > 0))) {
  console.error('--sizes takes numbers of tools between commas, such as 1000,10000.')
  process.exit(1)
}
const toolsOf = (size, more = 0) => {
  seed = 42
  const all = Array.from({ length: size + more }, (_, i) => makeTool(i))
  return { tools: all.slice(0, size), extra: all.slice(size) }
}
const digits = (figure) => figure.toFixed(figure < 10 ? 2 : 0)
const roundsFor = (size) => (size >= 100_000 ? 4 : 30)

if (flags.beside) {
  await measureBeside(await loadBuild(flags.beside))
  process.exit(0)
}

console.log('| tools | engine | build ms | query p50 ms | query p95 ms | add one p50 ms | memory MB |')
console.log('| --: | --- | --: | --: | --: | --: | --: |')
for (const size of sizes) {
  const { tools, extra } = toolsOf(size, 50)
  for (const engine of engines) await measure(size, engine, tools, extra)
}

// A function of its own: what an engine held must be free before the next is weighed.
async function measure(size, engine, tools, extra) {
  const before = heap()
  const from = performance.now()
  const opened = await engine.open(tools)
  const build = performance.now() - from
  const memory = heap() - before
  for (const query of queries) opened.query(query)
  const times = Array.from({ length: roundsFor(size) }, () =>
    queries.map((query) => timed(() => opened.query(query))),
  ).flat()
  const adds = extra.map((tool) => timed(() => opened.add(tool)))
  const figures = [build, percentile(times, 0.5), percentile(times, 0.95), percentile(adds, 0.5), memory]
  console.log(`| ${size} | ${engine.name} | ${figures.map(digits).join(' | ')} |`)
}

/** Both builds hold the same tools at once and are asked in turn, each first every other time; a ratio above 1 is slower than before. */
async function measureBeside(other) {
  console.log(`beside ${flags.beside}; each figure: this build, the other, the ratio`)
  console.log('| tools | engine | build ms | query p50 ms | query p95 ms | add one p50 ms |')
  console.log('| --: | --- | --- | --- | --- | --- |')
  const others = enginesOf(other)
  const pairs = enginesOf(build).map((engine, i) => [engine, others[i]])
  for (const size of sizes) for (const pair of pairs) await measurePair(size, pair)
}

async function measurePair(size, pair) {
  const { tools, extra } = toolsOf(size, 50)
  const sides = []
  for (const engine of pair) {
    globalThis.gc?.()
    const from = performance.now()
    const opened = await engine.open(tools)
    sides.push({ opened, built: performance.now() - from, queries: [], adds: [] })
  }
  for (const { opened } of sides) for (const query of queries) opened.query(query)
  const inTurn = (round) => (round % 2 === 0 ? sides : [...sides].reverse())
  for (let round = 0; round < roundsFor(size); round++)
    for (const query of queries)
      for (const side of inTurn(round)) side.queries.push(timed(() => side.opened.query(query)))
  for (const [round, tool] of extra.entries())
    for (const side of inTurn(round)) side.adds.push(timed(() => side.opened.add(tool)))
  const rows = sides.map(({ built, queries, adds }) => [
    built,
    percentile(queries, 0.5),
    percentile(queries, 0.95),
    percentile(adds, 0.5),
  ])
  const cells = rows[0].map((mine, i) => `${digits(mine)}, ${digits(rows[1][i])}, ×${(mine / rows[1][i]).toFixed(2)}`)
  console.log(`| ${size} | ${pair[0].name} | ${cells.join(' | ')} |`)
}

/** A gateway's first search: when its answer comes, how long other work waited at most, when meaning takes part. */
const firstSearch = async (tools) => {
  const feed = { snapshot: () => ({ tools }), onChange: () => () => {} }
  const rules = { decide: () => ({ allowed: true }), onChange: () => () => {} }
  const search = build.createLiveSearch(feed, rules, { embedding: build.createBuiltInEmbeddings() })
  const caller = { id: 'bench', rights: [] }
  const pauses = watchPauses()
  const from = performance.now()
  await search(queries[0], {}, caller)
  const answered = performance.now() - from
  while ((await search(queries[0], {}, caller)).notice?.includes('Search again')) await sleep(100)
  return [answered, pauses.stop(), performance.now() - from]
}

const watchPauses = () => {
  let longest = 0
  let last = performance.now()
  let handle = setImmediate(function look() {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    handle = setImmediate(look)
  })
  return {
    stop: () => {
      clearImmediate(handle)
      return longest
    },
  }
}

console.log('\n| tools | first answer ms | longest pause ms | with meaning after ms |')
console.log('| --: | --: | --: | --: |')
for (const size of sizes) {
  const figures = await firstSearch(toolsOf(size).tools)
  console.log(`| ${size} | ${figures.map((figure) => figure.toFixed(0)).join(' | ')} |`)
}
