import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../helpers/free-port.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, visit } from './visit.js'

/** The gateway of this folder at this port; resolves when it listens. */
const serve = async (cli: string, folder: string, port: number): Promise<ChildProcess> => {
  const args = ['serve', '--json', '--port', String(port), '--data-path', join(folder, 'data')]
  const env = { ...process.env, HOME: folder, USERPROFILE: folder, XDG_CONFIG_HOME: join(folder, '.config') }
  const named = ['--config', join(folder, 'pegboard.json')]
  const child = spawn(process.execPath, [cli, ...args, ...named], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of createInterface({ input: child.stderr! })) if (line.includes('Listening: ')) break
  child.stderr!.resume()
  return child
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

describe.skipIf(browserPath === undefined)('a gateway that is gone', { timeout: 120_000 }, () => {
  let browser: Browser
  let child: ChildProcess
  let cli: string
  let port: number
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-gone-'))

  beforeAll(async () => {
    cli = builtConsole().cli
    browser = await openBrowser()
    port = await freePort()
    writeFileSync(join(folder, 'pegboard.json'), '{}')
    child = await serve(cli, folder, port)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    if (child) await end(child)
    rmSync(folder, { recursive: true, force: true })
  })

  it('is said across the page, with since when, its figures dimmed, and comes back by itself (G12)', async () => {
    const origin = `http://127.0.0.1:${port}`
    const { page, context } = await visit(browser, origin)
    const key = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
    await page.goto(`${origin}/#key=${key}`)
    await page.locator('.figure').first().waitFor()
    const colour = (): Promise<string> =>
      page
        .locator('.figure .value')
        .first()
        .evaluate((element) => (globalThis as any).getComputedStyle(element).color)
    const before = await colour()
    await end(child)
    const said = page.getByRole('alert').getByText(/has not answered since \d\d:\d\d:\d\d/)
    await said.waitFor()
    expect(await colour()).not.toBe(before)
    await expectClean(page, 'gateway-gone')
    // Wherever one goes meanwhile, it is said there as well.
    await page.getByRole('navigation').getByRole('link', { name: 'Sources', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
    await said.waitFor()
    child = await serve(cli, folder, port)
    await said.waitFor({ state: 'detached', timeout: 40_000 })
    await page.getByText(/^Live/).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
    expect(await colour()).toBe(before)
    await context.close()
  })
})
