import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { type OfficeProcess, startProcess } from './office-process.js'
import { manyTools, officeTools } from './office-tools.js'

const axeText = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const office = fileURLToPath(new URL('./servers/office.mjs', import.meta.url))
const asker = fileURLToPath(new URL('../helpers/servers/asker.mjs', import.meta.url))
const pictures = fileURLToPath(new URL('../../coverage/console', import.meta.url))

/** A gateway with the office server, a catalog file and two profiles. */
export interface Office extends OfficeProcess {
  readonly adminKey: string
  /** What the office server reads at its start. */
  readonly toolsFile: string
  /** Its home, with the configuration file. */
  readonly folder: string
}

export const startOffice = async (cli: string, tools = 300): Promise<Office> => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-console-'))
  const toolsFile = join(folder, 'office.json')
  writeFileSync(toolsFile, JSON.stringify(officeTools))
  writeFileSync(join(folder, 'catalog.json'), JSON.stringify(manyTools(tools)))
  const env = { OFFICE_TOKEN: 'hush-hush-1234' }
  const config = {
    sources: {
      office: { type: 'stdio', command: process.execPath, args: [office, toolsFile], env },
      archive: { type: 'catalog', path: './catalog.json' },
    },
    profiles: {
      default: {},
      phone: { description: 'For the voice device in the kitchen', expose: 'search', allow: ['office.*'] },
    },
  }
  writeFileSync(join(folder, 'pegboard.json'), JSON.stringify(config))
  const running = await startProcess(cli, folder)
  const adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
  await vi.waitUntil(async () => (await stateOf(running.origin, adminKey, 'office')) === 'ready', { timeout: 60_000 })
  return { ...running, adminKey, toolsFile, folder }
}

/** A gateway listens before its sources are ready; whoever calls at once would find no tool. */
const stateOf = async (origin: string, key: string, name: string): Promise<string | undefined> => {
  const response = await fetch(`${origin}/api/admin/v1/sources`, { headers: { authorization: `Bearer ${key}` } })
  const { sources } = (await response.json()) as { sources: readonly { name: string; state: string }[] }
  return sources.find((source) => source.name === name)?.state
}

/** A gateway as a newcomer starts it: no configuration file, and a client on the same machine. */
export const startEmpty = async (cli: string): Promise<Omit<Office, 'toolsFile'>> => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-empty-'))
  mkdirSync(join(folder, '.cursor'))
  const mcpServers = {
    asker: { command: process.execPath, args: [asker] },
    'a-name-that-is-rather-long-for-a-server-of-notes': { command: 'npx', args: ['-y', 'notes-server', '/'] },
    strange: { args: ['no command'] },
  }
  writeFileSync(join(folder, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }))
  const running = await startProcess(cli, folder)
  const adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
  return { ...running, adminKey, folder }
}

export const commandOf = (toolsFile: string): readonly string[] => [process.execPath, office, toolsFile]

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What a page must not do: ask strangers, break the policy, throw. */
  readonly problems: string[]
}

/** A page of this origin that is watched for requests to others, for errors and for broken policies. */
export const visit = async (
  browser: Browser,
  origin: string,
  options: { readonly theme?: 'light' | 'dark'; readonly width?: number; readonly locale?: string } = {},
): Promise<Visit> => {
  const { theme = 'light', width = 1280, locale = 'en-GB' } = options
  const context = await browser.newContext({ colorScheme: theme, viewport: { width, height: 860 }, locale })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('request', (request) => {
    // A `blob:` of the page is what it holds already: nobody is asked.
    if (
      !request
        .url()
        .replace(/^blob:/, '')
        .startsWith(origin)
    )
      problems.push(`asked ${request.url()}`)
  })
  page.on('pageerror', (error) => problems.push(`threw ${error.message}`))
  page.on('console', (message) => {
    // The browser reports every refused request; a wrong key and a page of what was just removed are meant to be refused.
    const isMeant = /\b401\b/.test(message.text()) || message.location().url.endsWith('/sources/desk')
    if (message.type() === 'error' && !isMeant) problems.push(`said ${message.text()} (${message.location().url})`)
  })
  return { page, context, problems }
}

export const signIn = async (
  { page }: Visit,
  { origin, adminKey }: Pick<Office, 'origin' | 'adminKey'>,
): Promise<void> => {
  await page.goto(`${origin}/#key=${adminKey}`)
  await page.getByRole('heading', { name: /Overview|概览/ }).waitFor()
}

/** What axe finds wrong, by rule and place. Its text is evaluated by the driver: the page's own policy allows no scripts. */
export const axeProblems = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axeText)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: { run(): Promise<AxeReport> } }).axe.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  })
}

interface AxeReport {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

export const picture = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: join(pictures, `${name}.png`) })
}

export const expectClean = async (page: Page, name: string): Promise<void> => {
  await picture(page, name)
  expect(await axeProblems(page), name).toEqual([])
}
