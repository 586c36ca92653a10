import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'
import { root } from '../helpers/snippets.js'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

let home: string
let registry: Server
let published: string | undefined
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-upgrade-'))
  registry = createServer((request, response) => {
    const isOurs = request.url?.startsWith('/pegboard') && published !== undefined
    response.writeHead(isOurs ? 200 : 404, { 'content-type': 'application/json' })
    const manifest = { name: 'pegboard', version: published }
    const packument = {
      name: 'pegboard',
      'dist-tags': { latest: published },
      versions: { [published ?? '']: manifest },
    }
    response.end(JSON.stringify(isOurs ? packument : { error: 'not found' }))
  }).listen(0, '127.0.0.1')
  await once(registry, 'listening')
})
afterAll(() => {
  registry.close()
  rmSync(home, { recursive: true, force: true })
})

const upgrade = (words: string, at: string = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`) =>
  runCli(['upgrade', ...words.split(' ')], { cwd: home, home, env: { npm_config_registry: at } })

describe('pegboard upgrade --check', () => {
  it('names the newer version and the command that brings it, as npm is set', async () => {
    published = '99.1.0'
    const { code, stdout } = await upgrade('--check --json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ installed: version, newest: '99.1.0', outdated: true, how: 'local' })
    expect(JSON.parse(stdout).command).toContain('pegboard@99.1.0')
  })

  it('says that this is the newest', async () => {
    published = version
    const { code, stdout } = await upgrade('--check')
    expect(code).toBe(0)
    expect(stdout).toContain('This is the newest')
  })

  it('says that nobody could be asked', async () => {
    const away = await upgrade('--check', 'http://127.0.0.1:9/')
    expect(away.code).toBe(4)
    expect(away.stdout).toMatch(/could not be asked: offline.+npm config get registry/)
    published = undefined
    expect((await upgrade('--check')).stdout).toContain('does not have pegboard')
  })
})
