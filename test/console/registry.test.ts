import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { npmServer, openTestRegistry, type TestRegistry } from '../helpers/registry-server.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { type OfficeProcess, startProcess } from './office-process.js'
import { expectClean, signIn, type Visit, visit } from './visit.js'

const weather = (version: string) =>
  npmServer(
    'io.example/weather',
    version,
    {
      environmentVariables: [
        { name: 'WEATHER_API_KEY', description: 'Key of the service', isRequired: true, isSecret: true },
        { name: 'UNITS', default: 'celsius', choices: ['celsius', 'fahrenheit'] },
      ],
      packageArguments: [{ type: 'named', name: '--city', description: 'Where you are', isRequired: true }],
    },
    { title: 'Weather' },
  )

describe.skipIf(browserPath === undefined)('the page of registries (N5)', { timeout: 90_000 }, () => {
  let browser: Browser
  let gateway: OfficeProcess
  let adminKey: string
  let registry: TestRegistry
  let file: string
  let here: Visit

  beforeAll(async () => {
    browser = await openBrowser()
    registry = await openTestRegistry([
      weather('1.0.0'),
      npmServer('io.example/weather-shell', '1.0.0', { runtimeHint: 'bash' }),
      ...Array.from({ length: 40 }, (_, at) => npmServer(`io.example/weather-${at}`, '1.0.0')),
    ])
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-registry-page-'))
    file = join(folder, 'pegboard.json')
    writeFileSync(file, JSON.stringify({ registries: [{ name: 'ours', url: registry.url }], sources: {} }))
    gateway = await startProcess(builtConsole().cli, folder)
    adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
    here = await visit(browser, gateway.origin)
    await signIn(here, { origin: gateway.origin, adminKey })
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await gateway?.dispose()
    await registry?.close()
  })

  const sources = () => JSON.parse(readFileSync(file, 'utf8')).sources

  it('asks nobody before somebody searches, then shows what was found, page by page', async () => {
    const { page } = here
    await page.goto(`${gateway.origin}/#/registry`)
    await page.getByRole('heading', { name: 'Registry' }).waitFor()
    expect(registry.asked).toEqual([])
    await page.getByLabel('Part of a name').fill('weather')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByRole('link', { name: 'Look at io.example/weather', exact: true }).waitFor()
    await expectClean(page, 'registry-search')
    expect(await page.getByRole('link', { name: /^Look at/ }).count()).toBe(30)
    await page.getByRole('button', { name: 'More of ours' }).click()
    await page.getByRole('link', { name: 'Look at io.example/weather-39' }).waitFor()
    expect(await page.getByRole('link', { name: /^Look at/ }).count()).toBe(42)
  })

  it('shows what a server asks for, and exactly what it would run, as one types', async () => {
    const { page } = here
    await page.getByRole('link', { name: 'Look at io.example/weather', exact: true }).click()
    await page.getByText('npx -y @example/weather@1.0.0 --city=<--city>').waitFor()
    await page.getByText('Still missing: --city, WEATHER_API_KEY').waitFor()
    expect(await page.getByRole('button', { name: 'Add, switched off' }).isDisabled()).toBe(true)
    await page.getByLabel('--city').fill('Oslo')
    await page.getByLabel('WEATHER_API_KEY').fill('tell-nobody')
    await page.getByLabel('UNITS').selectOption('fahrenheit')
    await page.getByText('npx -y @example/weather@1.0.0 --city=Oslo').waitFor()
    await expectClean(page, 'registry-server')
  })

  it('adds it switched off, the secret nowhere in the file', async () => {
    const { page } = here
    await page.locator('button:enabled', { hasText: 'Add, switched off' }).click()
    await page.getByText('weather was added, switched off.').waitFor()
    expect(sources().weather).toMatchObject({
      enabled: false,
      command: 'npx',
      args: ['-y', '@example/weather@1.0.0', '--city=Oslo'],
      env: { UNITS: 'fahrenheit' },
      registry: { name: 'io.example/weather', version: '1.0.0' },
    })
    expect(readFileSync(file, 'utf8')).not.toContain('tell-nobody')
  })

  it('says why a server is refused', async () => {
    const { page } = here
    await page.goto(`${gateway.origin}/#/registry/${encodeURIComponent('io.example/weather-shell')}`)
    await page.getByRole('alert').getByText("shell 'bash'").waitFor()
    // The browser reports what was refused, as it was meant to be.
    here.problems.length = 0
  })

  it('shows an update as a difference, and takes it when told to', async () => {
    const { page } = here
    registry.entries = [...registry.entries, weather('1.1.0')]
    await page.goto(`${gateway.origin}/#/registry`)
    await page.getByRole('button', { name: 'Look for updates' }).click()
    const difference = page.getByRole('region', { name: 'What would change in weather' })
    await difference.getByText('@example/weather@1.1.0').waitFor()
    await expectClean(page, 'registry-updates')
    expect(sources().weather.args[1]).toBe('@example/weather@1.0.0')
    await page.getByRole('button', { name: 'Take 1.1.0' }).click()
    await page.getByText('newest').waitFor()
    expect(sources().weather.args[1]).toBe('@example/weather@1.1.0')
    expect(here.problems).toEqual([])
  })

  it('reads Chinese, on a phone in the dark', async () => {
    const there = await visit(browser, gateway.origin, { theme: 'dark', width: 390, locale: 'zh-CN' })
    await signIn(there, { origin: gateway.origin, adminKey })
    await there.page.goto(`${gateway.origin}/#/registry/${encodeURIComponent('io.example/weather-1')}`)
    await there.page.getByRole('heading', { name: '它运行' }).waitFor()
    await expectClean(there.page, 'registry-phone-zh')
    expect(there.problems).toEqual([])
    await there.context.close()
  })
})
