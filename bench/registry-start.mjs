// How soon a registry of many definitions is there (D12): node bench/registry-start.mjs [tools = 100000] [backend …], after a build.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, hrtime } from 'node:process'
import { fileURLToPath } from 'node:url'

const dist = new URL('../dist/', import.meta.url)
const { openStore } = await import(new URL('storage/open.js', dist).href)

const verbs = ['create', 'delete', 'list', 'update', 'archive', 'export', 'share', 'merge', 'approve', 'schedule']
const things = ['invoice', 'ticket', 'branch', 'meeting', 'report', 'contact', 'order', 'photo', 'policy', 'device']

/** One tool in a hundred is hot, four are warm; a definition has about 600 bytes. */
const toolAt = (n) => {
  const id = `svc${n % 997}.${verbs[n % 10]}_${things[Math.floor(n / 10) % 10]}_${n}`
  const useCount = n % 100 === 0 ? 25 : n % 100 < 5 ? 4 : 0
  const properties = Object.fromEntries(
    ['id', 'title', 'owner', 'due'].map((key) => [key, { type: 'string', description: `The ${key} of item ${n}` }]),
  )
  return {
    id,
    namespace: '',
    source: 'registered',
    definition: {
      name: id,
      description: `${verbs[n % 10]} the ${things[Math.floor(n / 10) % 10]} number ${n} in service ${n % 997}`,
      inputSchema: { type: 'object', properties, required: ['id'] },
    },
    tags: [things[n % 10]],
    category: `svc${n % 50}`,
    useCount,
    lastUsed: useCount > 0 ? Date.now() : null,
    temperature: useCount >= 10 ? 'hot' : useCount >= 3 ? 'warm' : 'cold',
  }
}

const measure = async (backend, count) => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-start-'))
  try {
    const store = await openStore({ backend, path: folder })
    for (let from = 0; from < count; from += 10_000)
      await store.saveMany(Array.from({ length: Math.min(10_000, count - from) }, (_, n) => toolAt(from + n)))
    await store[Symbol.asyncDispose]()
    symlinkSync(fileURLToPath(new URL('cli/main.js', dist)), join(folder, 'registry-tools'))
    return await startAndAsk(folder, backend, count)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const startAndAsk = async (folder, backend, count) => {
  const began = hrtime.bigint()
  const ms = () => Math.round(Number(hrtime.bigint() - began) / 1e6)
  const args = ['--transport', 'http', '--port', '0', '--data-path', folder, '--storage-backend', backend]
  const child = spawn(process.execPath, [join(folder, 'registry-tools'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    const url = await listening(child)
    const figures = { backend, tools: count, listeningMs: ms() }
    const hot = toolAt(Math.floor(count / 200) * 100)
    const cold = toolAt(count - 1)
    await until(async () => names(await search(url, hot.definition.description)).includes(hot.id))
    figures.hotFoundMs = ms()
    figures.rssAtHotMb = rssMb(child.pid)
    let slowest = 0
    await until(async () => {
      const asked = ms()
      const hits = await search(url, cold.definition.description)
      slowest = Math.max(slowest, ms() - asked)
      return names(hits).includes(cold.id)
    })
    return { ...figures, coldFoundMs: ms(), slowestSearchMs: slowest, rssMb: rssMb(child.pid) }
  } finally {
    child.kill('SIGKILL')
  }
}

const listening = (child) =>
  new Promise((resolve, reject) => {
    let log = ''
    child.stderr.on('data', (chunk) => {
      log += chunk
      const found = /Listening: (\S+)/.exec(log)
      if (found) resolve(found[1])
    })
    child.on('exit', () => reject(new Error(log)))
  })

const search = async (url, query) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_tools', arguments: { query, limit: 10 } },
    }),
  })
  const { result } = await response.json()
  return JSON.parse(result.content[0].text)
}

const names = (hits) => hits.map(({ tool_name }) => tool_name)

const until = async (isSo) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
}

const rssMb = (pid) => {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return Math.round((pages * 4096) / 1e6)
}

const [count = '100000', ...backends] = argv.slice(2)
for (const backend of backends.length > 0 ? backends : ['sqlite', 'json'])
  console.log(JSON.stringify(await measure(backend, Number(count))))
