import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import {
  type GatewayProcess,
  type GatewayProcessOptions,
  isAlive,
  pidOf,
  startGateway,
  toConfig,
  untilGone,
  untilListed,
} from '../helpers/gateway-process.js'

const raw = (mark: string) => ({ type: 'stdio', ...fixtureCommand('stdio-raw'), env: { MARK: mark } })

let gateway: GatewayProcess | undefined
afterEach(() => gateway?.dispose())

const start = async (options?: GatewayProcessOptions) => {
  gateway = await startGateway({ sources: { kept: raw('kept'), gone: raw('gone') } }, options)
  const { client, file, folder } = gateway
  await untilListed(client, ['kept', 'gone'])
  return { gateway, client, file, folder, kept: await pidOf(client, 'kept'), gone: await pidOf(client, 'gone') }
}
const next = toConfig({ sources: { kept: raw('kept'), fresh: raw('fresh') } })

/** What a reload must show, however the new content came: the new is there, the old is gone, the rest was not touched. */
const expectReloaded = async ({ client, kept, gone }: Awaited<ReturnType<typeof start>>): Promise<void> => {
  await untilListed(client, ['kept', 'fresh'], ['gone'])
  expect(await pidOf(client, 'kept')).toBe(kept)
  await untilGone([gone])
}

describe('a changed configuration', () => {
  it('F27 is applied as a difference when it is saved in place', async () => {
    const running = await start()
    writeFileSync(running.file, next)
    await expectReloaded(running)
  })

  it('F27 is applied when another file is renamed over it', async () => {
    const running = await start()
    const other = join(running.folder, 'other.json')
    writeFileSync(other, next)
    renameSync(other, running.file)
    await expectReloaded(running)
  })

  it('F27 is applied when Kubernetes swaps the links of a ConfigMap', async () => {
    // ..data → ..first; pegboard.json → ..data/pegboard.json; a new version is a new folder and an atomic swap of ..data.
    const version = (folder: string, name: string, content: string) => {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'pegboard.json'), content)
      symlinkSync(name, join(folder, '..data_tmp'))
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
    }
    const running = await start({
      place: (folder, content) => {
        version(folder, '..first', content)
        symlinkSync(join('..data', 'pegboard.json'), join(folder, 'pegboard.json'))
        return join(folder, 'pegboard.json')
      },
    })
    version(running.folder, '..second', next)
    rmSync(join(running.folder, '..first'), { recursive: true })
    await expectReloaded(running)
  })

  it('F27 is refused and reported when it is invalid, and everything runs on', async () => {
    const running = await start()
    const wrong = ['{ "sources": ', '[]', JSON.stringify({ sources: {}, logging: { level: 'loud' } })]
    for (const [index, content] of wrong.entries()) {
      writeFileSync(running.file, content)
      await running.gateway.logged('The changed configuration is not used', index + 1)
    }
    expect(await pidOf(running.client, 'kept')).toBe(running.kept)
    expect(isAlive(running.gone)).toBe(true)
    writeFileSync(running.file, next)
    await expectReloaded(running)
  })

  it('restarts only the source that changed', async () => {
    const { client, file, kept, gone } = await start()
    writeFileSync(file, toConfig({ sources: { kept: raw('kept'), gone: raw('changed') } }))
    let now = gone
    while (now === gone || Number.isNaN(now)) now = await pidOf(client, 'gone').catch(() => Number.NaN)
    expect(await pidOf(client, 'kept')).toBe(kept)
    await untilGone([gone])
  })
})
