import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { type OfficeProcess, startProcess } from './office-process.js'
import { manyTools, officeTools } from './office-tools.js'

const server = (name: string): string => fileURLToPath(new URL(`./servers/${name}.mjs`, import.meta.url))

/** A gateway with tools that ask, show, count and take nested arguments, beside others of a catalog file. */
export interface Workshop extends OfficeProcess {
  readonly adminKey: string
  readonly folder: string
  ask(method: string, path: string, body?: unknown): Promise<any>
  /** The configuration as the file has it now. */
  written(): any
}

export const startWorkshop = async (cli: string, tools = 40, more: object = {}): Promise<Workshop> => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-workshop-'))
  writeFileSync(join(folder, 'office.json'), JSON.stringify(officeTools))
  writeFileSync(join(folder, 'catalog.json'), JSON.stringify(manyTools(tools)))
  const run = (...args: readonly string[]) => ({ type: 'stdio', command: process.execPath, args })
  const config = {
    sources: {
      workshop: run(server('workshop')),
      office: run(server('office'), join(folder, 'office.json')),
      archive: { type: 'catalog', path: './catalog.json' },
    },
    profiles: {
      default: {},
      phone: { description: 'For the voice device in the kitchen', expose: 'search', allow: ['office.*'] },
    },
    ...more,
  }
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, JSON.stringify(config))
  const running = await startProcess(cli, folder)
  const adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
  const ask: Workshop['ask'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return (await fetch(`${running.origin}/api/admin/v1${path}`, { method, headers, ...sent })).json()
  }
  const isReady = async (name: string) => (await ask('GET', `/sources/${name}`)).source?.state === 'ready'
  await vi.waitUntil(async () => (await isReady('workshop')) && (await isReady('office')), { timeout: 60_000 })
  // Thousands of tools are taken in step by step: until then some are not to be called yet.
  const isHeld = async () => (await ask('GET', '/tools')).tools.some(({ held }: { held: boolean }) => held)
  await vi.waitUntil(async () => !(await isHeld()), { timeout: 60_000, interval: 200 })
  return { ...running, adminKey, folder, ask, written: () => JSON.parse(readFileSync(file, 'utf8')) }
}
