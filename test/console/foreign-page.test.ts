import { createServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcp, type Server } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { browserPath } from './browser.js'
import { builtConsole } from './built-console.js'

interface Exchange {
  readonly asked: string
  readonly status: number
}

/** What a page of a stranger, open in the browser of somebody who runs a gateway, can do to it (T1, S26). */
describe.runIf(browserPath !== undefined)('a page of another site', () => {
  let gateway: GatewayProcess
  let browser: Browser
  let pages: HttpServer
  let relay: Server
  let page: Page
  let origin: string
  let foreign: string
  // Browsers hide from a page, and from whoever drives them, what they refuse to hand to it: the wire does not.
  const seen: Exchange[] = []
  let told = () => {}

  beforeAll(async () => {
    builtConsole()
    gateway = await startGateway({ server: { trustedHosts: ['127.0.0.1'] } })
    relay = createTcp((near) => {
      const far = connect(Number(new URL(gateway.url).port), '127.0.0.1')
      const asked: string[] = []
      near.on('data', (chunk) => {
        for (const [line] of chunk.toString('latin1').matchAll(/^(?:GET|POST|OPTIONS) \S+/gm)) asked.push(line)
      })
      far.on('data', (chunk) => {
        for (const [, status] of chunk.toString('latin1').matchAll(/^HTTP\/1\.1 (\d+)/gm))
          seen.push({ asked: asked.shift() ?? '', status: Number(status) })
        told()
      })
      near.pipe(far).pipe(near)
      near.on('error', () => far.destroy())
      far.on('error', () => near.destroy())
    })
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
    pages = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(
        `<!doctype html><title>foreign</title><body><a id="link" href="${origin}/">console</a><a id="stream" href="${origin}/api/v1/events">stream</a>`,
      )
    })
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    foreign = `http://evil.test:${(pages.address() as AddressInfo).port}/`
    browser = await chromium.launch({
      executablePath: browserPath!,
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--host-resolver-rules=MAP evil.test 127.0.0.1',
        // Newer browsers ask people before a page may reach this machine at all; here nobody is to be asked.
        '--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
      ],
    })
    page = await browser.newPage()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    pages?.close()
    relay?.close()
    await gateway?.dispose()
  })

  const untilAsked = async (path: string): Promise<number> => {
    for (;;) {
      const found = seen.find(({ asked }) => asked.endsWith(` ${path}`))
      if (found) return found.status
      await new Promise<void>((resolve) => {
        told = resolve
      })
    }
  }

  /** What the gateway answered to what the page's script made the browser ask for. */
  const statusOf = async (path: string, script: string): Promise<number> => {
    // What the last one began may still be on its way.
    await page.close()
    page = await browser.newPage()
    await page.goto(foreign)
    seen.length = 0
    await page.evaluate(`{ const url = ${JSON.stringify(`${origin}${path}`)}; ${script}; undefined }`)
    return untilAsked(path)
  }
  const element = (name: string, attribute: string) =>
    `const added = document.createElement('${name}'); added.${attribute} = url; document.body.appendChild(added)`

  it('opens no stream, whichever way it asks without telling its origin', async () => {
    const ways = {
      'no-cors fetch': `fetch(url, { mode: 'no-cors' }).catch(() => {})`,
      image: 'new Image().src = url',
      script: element('script', 'src'),
      stylesheet: `${element('link', 'href')}; added.rel = 'stylesheet'`,
      video: element('video', 'src'),
      frame: element('iframe', 'src'),
      object: element('object', 'data'),
    }
    const statuses: Record<string, number> = {}
    for (const [name, way] of Object.entries(ways)) statuses[name] = await statusOf('/api/v1/events', way)
    expect(statuses).toEqual(Object.fromEntries(Object.keys(ways).map((name) => [name, 403])))
  })

  it('opens none by telling it either, and posts nothing', async () => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect({
      eventSource: await statusOf('/api/v1/events', 'new EventSource(url)'),
      fetch: await statusOf('/mcp', 'fetch(url).catch(() => {})'),
      beacon: await statusOf('/mcp', `navigator.sendBeacon(url, ${JSON.stringify(message)})`),
      form: await statusOf(
        '/mcp',
        `${element('form', 'action')}; added.method = 'post'; added.enctype = 'text/plain'; added.submit()`,
      ),
    }).toEqual({ eventSource: 403, fetch: 403, beacon: 403, form: 403 })
  })

  it('opens no WebSocket', async () => {
    const status = await statusOf('/local/mcp', `new WebSocket(url.replace('http', 'ws'))`)
    expect(status).toBe(403)
  })

  it('may link to the console, and to nothing else', async () => {
    const follow = async (id: string, path: string): Promise<number> => {
      await page.goto(foreign)
      seen.length = 0
      await page.click(id)
      return untilAsked(path)
    }
    expect(await follow('#stream', '/api/v1/events')).toBe(403)
    expect(await follow('#link', '/')).toBe(200)
    // What the console itself loads and asks is our own.
    await page.getByLabel('Key', { exact: true }).waitFor()
    expect(seen.filter(({ status }) => status === 403)).toEqual([])
  })

  it('of another port of this machine holds no stream without telling its origin either', async () => {
    foreign = foreign.replace('evil.test', '127.0.0.1')
    expect(await statusOf('/api/v1/events', `fetch(url, { mode: 'no-cors' }).catch(() => {})`)).toBe(403)
    expect(await statusOf('/api/v1/tools', 'fetch(url).catch(() => {})')).toBe(200)
  })
})
