import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, signIn, type Visit, visit } from './visit.js'
import { startWorkshop, type Workshop } from './workshop.js'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

describe.skipIf(browserPath === undefined)('profiles and clients (G7, G8)', { timeout: 90_000 }, () => {
  let browser: Browser
  let workshop: Workshop
  let here: Visit

  beforeAll(async () => {
    browser = await openBrowser()
    workshop = await startWorkshop(builtConsole().cli)
    here = await visit(browser, workshop.origin)
    await signIn(here, workshop)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await workshop?.dispose()
  })
  const snippet = async (page: Page, title: string): Promise<string> => {
    await page.getByRole('radio', { name: title, exact: true }).check()
    return (await page.locator('.snippet pre').first().textContent()) ?? ''
  }
  const runs = (text: string, env: object = {}): { readonly status: number | null; readonly stdout: string } => {
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-snippet-'))
    symlinkSync(modules, join(folder, 'node_modules'))
    writeFileSync(join(folder, 'snippet.mjs'), text)
    const { status, stdout } = spawnSync(process.execPath, ['snippet.mjs'], {
      ...{ cwd: folder, encoding: 'utf8', timeout: 60_000 },
      env: { ...process.env, ...env },
    })
    rmSync(folder, { recursive: true, force: true })
    return { status, stdout }
  }

  it('are made by ticking sources and tools, with the cost while it is ticked', async () => {
    const { page, problems } = here
    await page.goto(`${workshop.origin}/#/profiles`)
    await page.getByRole('button', { name: 'New profile' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: false }).first().fill('bench')
    await dialog.getByLabel('Tools', { exact: true }).selectOption('some')
    const tree = dialog.getByRole('region', { name: 'What it shows' })
    await tree.getByRole('checkbox', { name: /^workshop/ }).check()
    const preview = dialog.getByRole('region', { name: 'What clients would see' })
    await preview.getByText('7 listed, 7 callable').waitFor()
    await tree.getByRole('button', { name: 'What workshop has' }).click()
    await tree.getByRole('checkbox', { name: 'workshop.ask_model' }).uncheck()
    await preview.getByText('6 listed, 6 callable').waitFor()
    expect(await tree.getByRole('checkbox', { name: /^workshop \d/ }).evaluate((each: any) => each.indeterminate)).toBe(
      true,
    )
    await dialog.getByLabel('Filter by id').fill('weather')
    await tree.getByRole('checkbox', { name: 'office.weather' }).check()
    await preview.getByText('7 listed, 7 callable').waitFor()
    await expectClean(page, 'profile-tree')
    await dialog.getByText('As patterns').click()
    expect(await dialog.getByLabel('Show', { exact: true }).inputValue()).toBe('workshop.*\noffice.weather')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'bench' }).waitFor()
    expect(workshop.written().profiles.bench).toEqual({
      allow: ['workshop.*', 'office.weather'],
      deny: ['workshop.ask_model'],
    })
    expect(problems).toEqual([])
  })

  it('show their address and what belongs into each client, which works', async () => {
    const { page, problems } = here
    await page.goto(`${workshop.origin}/#/profiles/bench`)
    await page.getByText(`${workshop.origin}/mcp/bench`).first().waitFor()
    expect(JSON.parse(await snippet(page, 'Cursor'))).toEqual({
      mcpServers: { 'pegboard-bench': { url: `${workshop.origin}/mcp/bench` } },
    })
    await expectClean(page, 'profile-connect')
    await page.goto(`${workshop.origin}/#/connect/bench`)
    await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor()
    const names = await page
      .getByRole('radio')
      .evaluateAll((all) => all.map((each: any) => each.parentElement.textContent))
    expect(names).toEqual(
      expect.arrayContaining([
        ...['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'Windsurf', 'Gemini CLI', 'Codex', 'Cline'],
        ...['Python', 'TypeScript', 'curl'],
      ]),
    )
    await expectClean(page, 'connect')
    const code = await snippet(page, 'TypeScript')
    const { status, stdout } = runs(code ?? '')
    expect(status).toBe(0)
    expect(stdout).toContain('workshop__order')
    expect(stdout).not.toContain('workshop__ask_model')
    await page.getByLabel('Profile').selectOption('default')
    await page.getByText(`${workshop.origin}/mcp`, { exact: true }).first().waitFor()
    expect(problems).toEqual([])
  })

  it('have a key of their own in the snippet, which is kept nowhere', async () => {
    const { page, problems } = here
    await page.goto(`${workshop.origin}/#/connect/bench`)
    await page.getByRole('button', { name: 'Make a key for it' }).click()
    await page.getByLabel('Name of the key').fill('bench-laptop')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The key stands in the snippets below').waitFor()
    const text = await snippet(page, 'Windsurf')
    const [key = ''] = /rtk_[0-9a-f]+/.exec(text ?? '') ?? []
    expect(key).toMatch(/^rtk_[0-9a-f]{64}$/)
    expect(JSON.parse(text ?? '')).toEqual({
      mcpServers: {
        'pegboard-bench': { serverUrl: `${workshop.origin}/mcp/bench`, headers: { Authorization: `Bearer ${key}` } },
      },
    })
    await page.getByRole('radio', { name: 'TypeScript' }).check()
    const code = await page.locator('.snippet pre').last().textContent()
    expect(code).not.toContain(key)
    expect(runs(code ?? '', { PEGBOARD_KEY: key })).toMatchObject({ status: 0 })
    await expectClean(page, 'connect-key')
    await page.goto(`${workshop.origin}/#/overview`)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.body.innerHTML])',
    )
    expect(kept).not.toContain(key.slice(0, 16))
    expect(problems).toEqual([])
  })

  it('fit a phone, in the dark and in Chinese', async () => {
    const phone = await visit(browser, workshop.origin, { width: 390, theme: 'dark', locale: 'zh-CN' })
    await signIn(phone, workshop)
    const { page } = phone
    const expectNarrow = async (name: string): Promise<void> => {
      expect(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        name,
      ).toBe(0)
      await expectClean(page, name)
    }
    await page.goto(`${workshop.origin}/#/connect/bench`)
    await page.getByRole('heading', { level: 1, name: '连接客户端' }).waitFor()
    await page.getByRole('radio', { name: 'Python' }).check()
    await expectNarrow('connect-phone-zh')
    await page.goto(`${workshop.origin}/#/profiles/bench`)
    await page.getByRole('button', { name: '编辑' }).click()
    await page.getByRole('region', { name: '展示的内容' }).getByRole('checkbox').first().waitFor()
    await expectNarrow('profile-tree-phone-zh')
    expect(phone.problems).toEqual([])
    await phone.context.close()
  })
})
