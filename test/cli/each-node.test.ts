import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { rawOverStdio } from '../helpers/clients/raw-stdio.js'
import { fixtureCommand, startFixture } from '../helpers/fixture-servers.js'
import { startGateway, toConfig, untilListed } from '../helpers/gateway-process.js'
import { cliPath, runCli } from '../helpers/run-cli.js'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-node-'))
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const eras = ['legacy', 'modern'] as const

/** What `.ci/run` also runs on the other supported versions of Node (`scripts/on-node.mjs`): short, and through every door. */
describe(`the built program on Node ${process.versions.node}`, () => {
  it('says its version, and nothing else', async () => {
    const folder = newFolder()
    expect(await runCli(['--version'], { cwd: folder, home: folder })).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    })
  })

  it('serves a child and an address over HTTP in both eras, and warns of nothing', async () => {
    const far = await startFixture('http-modern')
    cleanup.push(far.stop)
    const gateway = await startGateway({
      sources: { child: { type: 'stdio', ...fixtureCommand('stdio-raw') }, far: { type: 'http', url: far.url } },
    })
    cleanup.push(gateway.dispose)
    await untilListed(gateway.client, ['child', 'far'])
    for (const era of eras) {
      const client = await rawOverHttp(era, gateway.url)
      cleanup.push(client.close)
      for (const tool of ['child.echo', 'far.echo'])
        expect(await client.call(tool, { text: 'here' })).toMatchObject({
          isError: false,
          text: expect.stringContaining('here'),
        })
    }
    // A flag that V8 no longer knows, and whatever Node deprecates, would stand here.
    expect(gateway.log()).not.toMatch(/illegal value|unrecognized flag|Warning/i)
  })

  it.each(eras)('answers over stdio (%s)', async (era) => {
    const folder = newFolder()
    const file = join(folder, 'pegboard.json')
    writeFileSync(file, toConfig({ sources: { child: { type: 'stdio', ...fixtureCommand('stdio-raw') } } }))
    mkdirSync(join(folder, 'data'))
    const args = [cliPath(), 'stdio', '--alone', '--config', file, '--data-path', join(folder, 'data')]
    const client = await rawOverStdio(era, process.execPath, args)
    cleanup.push(client.close)
    await untilListed(client, ['child'])
    expect((await client.call('child.echo', { text: 'here' })).text).toContain('here')
  })
})
