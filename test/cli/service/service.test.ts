import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../helpers/free-port.js'
import { cliPath, runCli } from '../../helpers/run-cli.js'

const standIn = fileURLToPath(new URL('systemctl.mjs', import.meta.url))
const linux = process.platform === 'linux'

let home: string
let unit: string
let port: number
const env = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: `${join(home, 'bin')}${delimiter}${dirname(process.execPath)}${delimiter}/usr/bin${delimiter}/bin`,
  STAND_IN: join(home, 'manager'),
  STAND_IN_UNIT: unit,
  TMPDIR: join(home, 'tmp'),
  ...more,
})
const service = (words: string, more: Readonly<Record<string, string>> = {}) =>
  runCli(['service', ...words.split(' ')], { cwd: home, home, env: env(more) })
const install = (words = '', more: Readonly<Record<string, string>> = {}) =>
  service(`install --config board.json --port ${port}${words}`, more)
const calls = (): readonly string[] =>
  readFileSync(join(home, 'manager', 'calls'), 'utf8')
    .trim()
    .split('\n')

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-service-'))
  unit = join(home, '.config', 'systemd', 'user', 'pegboard.service')
  port = await freePort()
  for (const folder of ['bin', 'manager', 'tmp']) mkdirSync(join(home, folder))
  writeFileSync(join(home, 'board.json'), '{ "sources": {} }')
  copyFileSync(standIn, join(home, 'bin', 'systemctl'))
  writeFileSync(join(home, 'bin', 'loginctl'), '#!/bin/sh\necho no\n')
  for (const name of ['systemctl', 'loginctl']) chmodSync(join(home, 'bin', name), 0o755)
})
afterEach(async () => {
  if (existsSync(unit)) await service('uninstall --yes')
  rmSync(home, { recursive: true, force: true })
})

describe.runIf(linux)('pegboard service (N13)', () => {
  it('installs what runs, says where it listens, and takes back exactly what it wrote', async () => {
    const installed = await install(' --env DOCS_TOKEN', { DOCS_TOKEN: 'a "b" $c' })
    expect(installed).toMatchObject({ code: 0, stderr: '' })
    expect(installed.stdout).toContain(`Wrote ${unit}`)
    expect(installed.stdout).toContain(`listens at http://127.0.0.1:${port}`)
    expect(installed.stdout).toContain('sudo loginctl enable-linger')
    expect(calls().filter((call) => !call.includes('show'))).toEqual([
      '--user daemon-reload',
      '--user enable pegboard.service',
      '--user restart pegboard.service',
    ])
    const text = readFileSync(unit, 'utf8')
    expect(text).toContain(
      `ExecStart=${process.execPath} ${cliPath()} serve --json --config ${join(home, 'board.json')}`,
    )
    expect(text).not.toContain('a "b"')
    const secrets = join(home, '.config', 'pegboard', 'pegboard.env')
    expect(readFileSync(secrets, 'utf8')).toContain('DOCS_TOKEN="a \\"b\\" \\$c"')
    expect(statSync(secrets).mode & 0o777).toBe(0o600)

    const status = await service('status --json')
    expect(JSON.parse(status.stdout)).toMatchObject({
      installed: true,
      enabled: true,
      running: true,
      startsAtBoot: false,
      url: `http://127.0.0.1:${port}`,
      config: join(home, 'board.json'),
    })
    const { pid, version } = JSON.parse(status.stdout)
    expect(pid).toBe(Number(readFileSync(join(home, 'manager', 'pid'), 'utf8')))
    expect(version.running).toBe(version.here)
    const told = await service('status')
    expect(told.stdout).toMatch(/Running since .+, pid \d+/)

    const gone = await service('uninstall')
    expect(gone).toMatchObject({ code: 0, stderr: '' })
    expect(gone.stdout).toContain(`Removed ${unit}`)
    for (const file of [unit, secrets]) expect(existsSync(file)).toBe(false)
    for (const file of ['board.json', '.local/share/pegboard/keys.json'])
      expect(existsSync(join(home, file))).toBe(true)
    expect(calls().slice(-3)).toEqual([
      '--user disable --now pegboard.service',
      '--user daemon-reload',
      '--user reset-failed pegboard.service',
    ])
    expect((await service('status')).code).toBe(2)
    // Both are lines of the trail of what was installed (T40).
    const { stdout } = await runCli(['audit', 'list', '--json', '--config', 'board.json'], {
      cwd: home,
      home,
      env: env(),
    })
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ on }) => on?.type === 'service').map(({ action }) => action)).toEqual([
      'install',
      'uninstall',
    ])
  })

  it('changes nothing the second time, and asks about a change, which it shows', async () => {
    await install()
    const before = calls().length
    const again = await install()
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('is as it should be')
    expect(
      calls()
        .slice(before)
        .filter((call) => !call.includes('show')),
    ).toEqual([])

    const changed = await install(' --no-hardening')
    expect(changed.code).toBe(1)
    expect(changed.stdout).toContain('- NoNewPrivileges=yes')
    expect(changed.stdout).toContain('--yes')
    expect(readFileSync(unit, 'utf8')).toContain('NoNewPrivileges=yes')
    expect((await install(' --no-hardening --yes')).code).toBe(0)
    expect(readFileSync(unit, 'utf8')).not.toContain('NoNewPrivileges=yes')
  })

  it('leaves a file of variables that somebody made by hand, and asks about a unit that somebody edited', async () => {
    const secrets = join(home, '.config', 'pegboard', 'pegboard.env')
    mkdirSync(dirname(secrets), { recursive: true })
    writeFileSync(secrets, 'TOKEN=by-hand\n')
    await install()
    writeFileSync(unit, readFileSync(unit, 'utf8').replace('RestartSec=2', 'RestartSec=9'))
    const asked = await service('uninstall')
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain('was edited since')
    expect((await service('status')).stdout).toContain('was edited since')
    expect((await service('uninstall --yes')).code).toBe(0)
    expect(readFileSync(secrets, 'utf8')).toBe('TOKEN=by-hand\n')
  })

  it('stops, starts and restarts', async () => {
    await install()
    const first = readFileSync(join(home, 'manager', 'pid'), 'utf8')
    expect((await service('restart')).stdout).toContain('listens at')
    expect(readFileSync(join(home, 'manager', 'pid'), 'utf8')).not.toBe(first)
    expect((await service('stop')).code).toBe(0)
    const stopped = await service('status')
    expect(stopped.code).toBe(4)
    expect(stopped.stdout).toContain('Not running: inactive (dead)')
    expect((await service('start')).code).toBe(0)
  })

  it('says that it ended where its configuration is wrong', async () => {
    await install()
    await service('stop')
    writeFileSync(join(home, 'board.json'), '{ "sources": ')
    const started = await service('start')
    expect(started.code).toBe(4)
    expect(started.stdout).toContain('pegboard service logs')
  })

  it('only prints it, where that is asked for', async () => {
    const shown = await install(' --dry-run')
    expect(shown.stdout).toContain('[Service]')
    expect(existsSync(unit)).toBe(false)
    const json = JSON.parse((await install(' --dry-run --json')).stdout)
    expect(json).toMatchObject({ kind: 'systemd', file: unit, changed: false })
    expect(json.definition).toContain('ExecStart=')
    const machine = await install(' --system --dry-run')
    expect(machine.stdout).toContain('/etc/systemd/system/pegboard.service')
  })

  it('refuses a second gateway on the same data', async () => {
    await install()
    const pid = Number(readFileSync(join(home, 'manager', 'pid'), 'utf8'))
    const second = await install(' --name other')
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`(pid ${pid})`)
  })

  it.each([
    ['Failed to connect to bus: No medium found', /no user manager .+enable-linger .+--system/s],
    ['System has not been booted with systemd as init system (PID 1).', /not started by systemd/],
    ['Failed to enable unit: it is strange', /it is strange.+pegboard service logs/s],
  ])('says what to do where systemd answers %s', async (said, told) => {
    writeFileSync(join(home, 'manager', 'refuse'), said)
    const run = await install()
    expect(run.code).toBe(1)
    expect(run.stderr).toMatch(told)
    expect(existsSync(unit)).toBe(false)
  })

  it('says what to do where there is no systemd', async () => {
    const run = await install('', { PATH: join(home, 'tmp') })
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('There is no systemd here')
  })

  it('refuses a name that is none, a variable that is not set, and a token on a command line', async () => {
    expect((await install(' --name ../x')).stderr).toContain('--name')
    expect((await install(' --env NOT_SET_HERE')).stderr).toContain('NOT_SET_HERE is not set')
    const typed = await install(' --token 0123456789abcdef')
    expect(typed.stderr).toContain('--env PEGBOARD_TOKEN')
    expect(typed.code).not.toBe(0)
    expect(existsSync(unit)).toBe(false)
  })

  it('refuses a copy in the cache of npx, with what to do', async () => {
    const cache = join(home, '_npx', '1', 'node_modules', 'pegboard')
    mkdirSync(cache, { recursive: true })
    cpSync(dirname(dirname(dirname(cliPath()))), cache, { recursive: true })
    const run = spawnSync(
      process.execPath,
      [join(cache, 'dist', 'cli', 'main.js'), 'service', 'install', '--config', 'board.json'],
      { cwd: home, env: { HOME: home, ...env() }, encoding: 'utf8' },
    )
    expect(run.stderr).toContain('npm install -g pegboard')
    expect(run.status).not.toBe(0)
  })

  it('shows what the system kept of its output', async () => {
    await install()
    writeFileSync(join(home, 'bin', 'journalctl'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
    const { stdout } = await service('logs -n 7')
    expect(stdout).toContain('--user --unit pegboard.service --output=cat --lines=7 --no-pager')
    expect((await service('logs -n 0')).code).toBe(1)
  })
})
