import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServicePlan } from '../../../src/cli/commands/service/plan.js'
import { systemdUnit } from '../../../src/cli/commands/service/systemd-unit.js'
import { freePort } from '../../helpers/free-port.js'
import { bareEnv, cliPath } from '../../helpers/run-cli.js'
import { root } from '../../helpers/snippets.js'

const beside = fileURLToPath(new URL('with-systemd.sh', import.meta.url))

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-systemd-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const plan = (more: Partial<ServicePlan>): ServicePlan => ({
  name: 'pegboard',
  isSystem: false,
  command: [process.execPath, cliPath()],
  args: ['serve', '--json', '--config', '/tmp/a b%h/$x "y".json'],
  path: ['/usr/bin', '/bin'],
  config: '/tmp/board.json',
  dataFolder: '/var/lib/pegboard',
  environmentFile: '/etc/pegboard/pegboard.env',
  version: '1.0.0',
  isHardened: true,
  ...more,
})

const verifies = spawnSync('systemd-analyze', ['--version']).status === 0
if (!verifies) console.log('systemd-analyze is not installed: no unit is verified by it')

describe.runIf(verifies)('what systemd says of our units', () => {
  const verify = (file: string, user: boolean) => {
    const run = spawnSync('systemd-analyze', ['verify', user ? '--user' : '--system', '--man=no', file], {
      encoding: 'utf8',
      env: { ...process.env, XDG_RUNTIME_DIR: home },
    })
    // Of other units on this machine it may say something too.
    return { status: run.status, said: run.stderr.split('\n').filter((line) => line.includes('pegboard')) }
  }

  it.each([
    ['of a user', {}, true],
    ['of a user, without hardening', { isHardened: false }, true],
    ['of the machine', { isSystem: true }, false],
    ['of the machine, as somebody', { isSystem: true, runAs: 'root' }, false],
  ] as const)('nothing, about one %s', (_, more, user) => {
    const file = join(home, 'pegboard.service')
    writeFileSync(file, systemdUnit(plan(more)))
    expect(verify(file, user)).toEqual({ status: 0, said: [] })
  })

  it('nothing, about the one in ops', () => {
    expect(verify(join(root, 'ops', 'pegboard.service'), false)).toEqual({ status: 0, said: [] })
  })

  it('something, about one that is wrong, so that the silence above counts', () => {
    const file = join(home, 'pegboard.service')
    writeFileSync(file, systemdUnit(plan({})).replace('Type=exec', 'Type=exce'))
    expect(verify(file, true).said.join()).toMatch(/exce/)
  })
})

const unshared = ['unshare', '--mount', '--cgroup', '--pid', '--fork', '--mount-proc']
const runsSystemd =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('systemd', ['--version']).status === 0 &&
  existsSync('/run/systemd') &&
  spawnSync(unshared[0]!, [...unshared.slice(1), 'sh', '-c', 'mount -t tmpfs none /run/systemd']).status === 0
if (!runsSystemd) console.log('no systemd can be run here beside the tests: the service is tried with a stand-in only')

describe.runIf(runsSystemd)('a real systemd', () => {
  it('runs what was installed, hands it its variables and its PATH, and forgets it', async () => {
    // Everything that a unit file could read something into.
    const folder = join(home, 'a b%h $HOME \'q\' "d" \\n')
    const runtime = join(home, 'run')
    mkdirSync(folder)
    mkdirSync(runtime, { mode: 0o700 })
    writeFileSync(join(folder, 'board.json'), '{ "sources": {} }')
    const port = await freePort()
    const story = `
      pegboard() { "${process.execPath}" "${cliPath()}" "$@"; }
      pegboard service install --config board.json --port ${port} --env SECRET || exit 1
      pegboard service status --json >status.json || exit 2
      tr '\\0' '\\n' <"/proc/$(sed -n 's/.*"pid": \\([0-9]*\\).*/\\1/p' status.json)/environ" >environ.txt
      pegboard service restart || exit 3
      pegboard service uninstall || exit 4
      systemctl --user show pegboard.service --property=LoadState,ActiveState >after.txt`
    const run = spawnSync(
      unshared[0]!,
      [...unshared.slice(1), 'sh', beside, `pegboard-test-${process.pid}`, 'sh', '-c', story],
      {
        cwd: folder,
        encoding: 'utf8',
        env: bareEnv(home, { XDG_RUNTIME_DIR: runtime, SECRET: 'x "y" \\z $HOME `id` 你好' }, 'unnamed'),
      },
    )
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' })
    const status = JSON.parse(readFileSync(join(folder, 'status.json'), 'utf8'))
    expect(status).toMatchObject({ enabled: true, running: true, url: `http://127.0.0.1:${port}` })
    expect(status.config).toBe(join(folder, 'board.json'))
    const environ = readFileSync(join(folder, 'environ.txt'), 'utf8').split('\n')
    expect(environ).toContain('SECRET=x "y" \\z $HOME `id` 你好')
    expect(environ.find((line) => line.startsWith('PATH='))).toMatch(new RegExp(`^PATH=${dirname(process.execPath)}:`))
    expect(readFileSync(join(folder, 'after.txt'), 'utf8').trim().split('\n').sort()).toEqual([
      'ActiveState=inactive',
      'LoadState=not-found',
    ])
  })
})
