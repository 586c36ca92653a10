import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-legacy.mjs', import.meta.url))

let home: string
beforeAll(() => {
  cliPath()
  home = mkdtempSync(join(tmpdir(), 'pegboard-downloading-'))
  mkdirSync(join(home, 'bin'))
  execFileSync('mkfifo', [join(home, 'fetched')])
  // Downloads until it is told that it has.
  writeFileSync(
    join(home, 'bin', 'npx'),
    `#!/bin/sh\nread word <"${home}/fetched"\nexec "${process.execPath}" "${server}"\n`,
    {
      mode: 0o755,
    },
  )
  const sources = { slow: { command: 'npx', args: ['-y', 'some-server'], startTimeoutMs: 1500 } }
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ sources }))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe.runIf(process.platform === 'linux')('a source that is still being downloaded (U10)', () => {
  it('is said so wherever it is shown, in both languages, and then serves', async () => {
    const env = {
      PATH: `${join(home, 'bin')}${delimiter}${dirname(process.execPath)}${delimiter}/usr/bin${delimiter}/bin`,
    }
    const gateway = spawn(process.execPath, [cliPath(), 'serve', '--port', '0', '--json'], {
      cwd: home,
      env: bareEnv(home, env),
    })
    let said = ''
    gateway.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const run = (words: string, more: Record<string, string> = {}) =>
      runCli(words.split(' '), { cwd: home, home, env: { ...env, ...more } })
    await expect.poll(() => said).toContain('Listening')
    await expect.poll(async () => (await run('list --sources')).stdout).toContain('npx is downloading what it runs.')
    expect((await run('list --sources', { LANG: 'zh_CN.UTF-8' })).stdout).toContain('npx 正在下载要运行的程序')
    expect((await run('doctor')).stdout).toMatch(/! source +slow: Starting: npx is downloading/)
    expect(said).toContain("Source 'slow' is not ready yet. Starting: npx is downloading what it runs.")
    await writeFile(join(home, 'fetched'), 'now\n')
    await expect.poll(async () => (await run('list --sources')).stdout).toMatch(/slow +stdio +ready/)
    gateway.kill('SIGTERM')
    await once(gateway, 'close')
  })
})
