// The console in a real browser: when it paints, whether it stays live under load, how it scrolls ten thousand tools.
// Alone: npm run build && node bench/console.mjs [--quick]
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { paintTimes, readFigures, rememberOverview, scrollThrough, watchFigures } from './console-page.mjs'
import { load, toBytes } from './gateway/load.mjs'
import { startGateway, untilListed, upstreamCommand } from './gateway/processes.mjs'
import { median, table } from './measure.mjs'

const browsers = [
  process.env.PEGBOARD_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const tools = 10_000
const rate = 500

export const benchConsole = async ({ quick = false } = {}) => {
  const executablePath = browsers.find((place) => place && existsSync(place))
  if (!executablePath) {
    console.log('\nThe console is not measured: there is no browser. Install one: node scripts/debian-packages.mjs')
    return []
  }
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  try {
    // Two gateways: with ten thousand tools the JSON store rewrites them all for every batch of use counts.
    const { paint, live } = await withBoard(browser, 100, async (page, gateway) => ({
      paint: await measurePaint(page, quick ? 5 : 15),
      live: await measureLive(page, gateway, quick ? 4 : 15),
    }))
    return report(paint, live, await withBoard(browser, tools, measureScroll))
  } finally {
    await browser.close()
  }
}

const withBoard = async (browser, count, measure) => {
  const gateway = await startBoard(count)
  try {
    return await measure(await signedIn(browser, gateway), gateway)
  } finally {
    await gateway.stop()
  }
}

const report = (paint, live, frames) => {
  table(
    'Console',
    ['', 'median', '95th', 'longest'],
    [
      ['first contentful paint, ms', ...spread(paint.map((each) => each.paint))],
      ['figures of the overview shown, ms', ...spread(paint.map((each) => each.overview))],
      [`overview at ${live.perSecond.toFixed(0)} calls/s: time between updates, ms`, ...spread(live.gaps)],
      ['the same: lag of the page, ms', ...spread(live.late)],
      ['the same: lag of the gateway, ms', live.lag.p50.toFixed(1), '', live.lag.max.toFixed(1)],
      [`${tools} tools: time of a frame while scrolling, ms`, ...spread(frames)],
    ],
  )
  return [
    {
      claim: 'console: first contentful paint, median',
      value: median(paint.map((each) => each.paint)),
      limit: 300,
      unit: 'ms',
    },
    {
      claim: 'console: calls carried while the overview is open',
      value: live.perSecond,
      limit: rate * 0.95,
      unit: '/s',
      atLeast: true,
    },
    {
      claim: 'console: updates of the overview meanwhile',
      value: live.updatesPerSecond,
      limit: 1,
      unit: '/s',
      atLeast: true,
    },
    { claim: 'console: longest time without an update', value: Math.max(...live.gaps), limit: 1000, unit: 'ms' },
    { claim: 'console: messages to the page meanwhile', value: live.messagesPerSecond, limit: 10, unit: '/s' },
    { claim: 'console: lag of the gateway meanwhile, 99th', value: live.lag.p99, limit: 50, unit: 'ms' },
    { claim: 'console: frame while scrolling 10,000 tools, median', value: median(frames), limit: 34, unit: 'ms' },
  ]
}

const spread = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1)
  return [at(0.5), at(0.95), at(1)]
}

/** A gateway with one server to call and a file of tools to look at. */
const startBoard = async (count) => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-bench-console-'))
  const path = join(folder, 'catalog.json')
  const inputSchema = { type: 'object', properties: { id: { type: 'string' } } }
  const toTool = (_, n) => ({
    name: `tool_${n}`,
    description: `Does thing number ${n} to records of the office.`,
    inputSchema,
  })
  writeFileSync(path, JSON.stringify({ tools: Array.from({ length: count }, toTool) }))
  const lag = new URL('./loop-lag.mjs', import.meta.url).href
  const sources = { up: { type: 'stdio', ...upstreamCommand(1) }, archive: { type: 'catalog', path } }
  const started = await startGateway(sources, ['--import', lag])
  const names = await untilListed(started, count + 1)
  const keyFile = join(dirname(started.file), 'data', 'admin.key')
  while (!existsSync(keyFile)) await new Promise((resolve) => setTimeout(resolve, 10))
  return {
    port: started.port,
    origin: `http://127.0.0.1:${started.port}`,
    tool: names.find((name) => name.startsWith('up.')),
    key: readFileSync(keyFile, 'utf8').trim(),
    lag: () => loopLag(started.child),
    stop: async () => {
      await started.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const loopLag = (child) =>
  new Promise((resolve) => {
    const lines = createInterface({ input: child.stderr })
    lines.on('line', (line) => {
      if (!line.startsWith('loop-lag ')) return
      lines.close()
      resolve(JSON.parse(line.slice('loop-lag '.length)))
    })
    child.kill('SIGUSR2')
  })

const signedIn = async (browser, { origin, key }) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB' })
  const page = await context.newPage()
  await page.addInitScript(rememberOverview)
  await page.goto(`${origin}/#key=${key}`)
  await page.locator('.figure').first().waitFor()
  return page
}

const measurePaint = async (page, loads) => {
  const times = []
  for (let load = 0; load < loads; load++) {
    await page.reload()
    await page.locator('.figure').first().waitFor()
    times.push(await page.evaluate(paintTimes))
  }
  return times
}

const measureLive = async (page, gateway, seconds) => {
  const leaving = new AbortController()
  const messages = countMessages(gateway, leaving.signal)
  await page.evaluate(watchFigures)
  await gateway.lag()
  const bytes = toBytes(gateway, 'tools/call', { name: gateway.tool, arguments: { text: 'hi' } })
  const { perSecond } = await load(gateway, bytes, {
    concurrency: 16,
    ms: seconds * 1000,
    expected: 'hi',
    perSecond: rate,
  })
  const lag = await gateway.lag()
  const { updates, late } = await page.evaluate(readFigures)
  leaving.abort()
  const gaps = updates.slice(1).map((at, index) => at - updates[index])
  const updatesPerSecond = gaps.length / seconds
  return { perSecond, lag, late, gaps, updatesPerSecond, messagesPerSecond: (await messages) / seconds }
}

/** Messages of a stream like the page's own, until the signal aborts. */
const countMessages = async ({ origin, key }, signal) => {
  let count = 0
  try {
    const response = await fetch(`${origin}/api/admin/v1/events`, {
      headers: { authorization: `Bearer ${key}` },
      signal,
    })
    for await (const text of response.body.pipeThrough(new TextDecoderStream()))
      count += text.match(/^event: /gm)?.length ?? 0
  } catch {
    // Aborted, which is how it ends.
  }
  return count
}

const measureScroll = async (page, { origin }) => {
  await page.goto(`${origin}/#/tools`)
  await page.getByText('10,001 tools').waitFor()
  return page.evaluate(scrollThrough)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { showClaims } = await import('./run.mjs')
  process.exitCode = showClaims(await benchConsole({ quick: process.argv.includes('--quick') }))
}
