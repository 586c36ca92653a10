import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NamedClient, openClient } from '../../helpers/clients/named.js'
import { openRunning, type Running } from '../open-running.js'

// The version that this was seen with. No dependency of ours, and tests fetch nothing: whoever runs this has it in a folder.
const server = '@playwright/mcp@0.0.83'
const folder = process.env.PLAYWRIGHT_MCP ?? ''
const program = join(folder, 'node_modules', '@playwright', 'mcp', 'cli.js')
const chromium = '/usr/bin/chromium'

const missing = [chromium, program].find((path) => !existsSync(path))
if (missing !== undefined)
  console.log(
    `Skipped: Playwright's server and two clients. There is no ${missing}. To run it: npm install --prefix DIR ${server}; PLAYWRIGHT_MCP=DIR npx vitest run test/serving/isolation/playwright.test.ts`,
  )

describe.skipIf(missing !== undefined)("Playwright's server and two clients (N9)", () => {
  let pages: Server
  let running: Running
  let address: string

  beforeAll(async () => {
    pages = createServer(({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<title>page ${url}</title><h1>heading ${url}</h1>`)
    }).listen(0, '127.0.0.1')
    await once(pages, 'listening')
    const { port } = pages.address() as AddressInfo
    address = `http://127.0.0.1:${port}`
    const args = [program, '--headless', '--isolated', '--no-sandbox', '--executable-path', chromium]
    running = await openRunning({
      sources: { browser: { command: process.execPath, args, isolation: 'session', timeoutMs: 60_000 } },
      profiles: { default: { expose: 'flat', names: 'exact' } },
    })
  })
  afterAll(async () => {
    await running[Symbol.asyncDispose]()
    pages.close()
  })

  it('never share a page, in either era', async () => {
    const url = `${running.board.listener!.listensAt}/mcp`
    const clients: readonly NamedClient[] = [
      await openClient('SDK v1', 'ann', { url }),
      await openClient('SDK v2, modern', 'bob', { url }),
    ]
    await Promise.all(
      clients.map(({ call, name }) => call('browser.browser_navigate', { url: `${address}/of-${name}/0` })),
    )
    const foreign: string[] = []
    for (let round = 1; round <= 5; round++)
      await Promise.all(
        clients.map(async ({ call, name }) => {
          const seen = String(await call('browser.browser_snapshot'))
          if (
            !seen.includes(`/of-${name}/`) ||
            clients.some((other) => other.name !== name && seen.includes(other.name))
          )
            foreign.push(seen)
          await call('browser.browser_navigate', { url: `${address}/of-${name}/${round}` })
        }),
      )
    expect(foreign).toEqual([])
    const tabs = await Promise.all(clients.map(({ call }) => call('browser.browser_tabs', { action: 'list' })))
    expect(tabs.map(String).map((text) => [text.includes('of-ann'), text.includes('of-bob')])).toEqual([
      [true, false],
      [false, true],
    ])
    for (const client of clients) await client.close()
  })
})
