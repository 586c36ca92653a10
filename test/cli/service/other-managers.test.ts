import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findManager } from '../../../src/cli/commands/service/find-manager.js'
import { createLaunchd } from '../../../src/cli/commands/service/launchd.js'
import type { ServicePlace } from '../../../src/cli/commands/service/manager.js'
import { createTaskScheduler } from '../../../src/cli/commands/service/task-scheduler.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-managers-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Stands in for a program of the other system: writes down what it is asked, says this and ends so. */
const program = (name: string, says = '', code = 0): void => {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${folder}/calls'\nprintf '%s' '${says}'\nexit ${code}\n`)
  chmodSync(file, 0o755)
}
const calls = (): readonly string[] =>
  existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : []
const place = (isSystem = false): ServicePlace => ({
  ...{ name: 'board', isSystem, home: '/Users/ada', etc: '/etc' },
  env: { PATH: `${folder}:/usr/bin:/bin`, HOME: '/Users/ada', LOCALAPPDATA: 'C:/Users/ada/AppData/Local' },
})

/** Neither system is here: what would be asked of it is all that is shown (N13). */
describe.runIf(process.platform !== 'win32')('what launchd is asked', () => {
  const domain = `gui/${process.getuid?.()}`

  it('loads, lets go, starts, stops and starts again by its label', async () => {
    program('launchctl')
    const manager = createLaunchd(place())
    await manager.requireUsable()
    await manager.enable()
    await manager.act('start')
    await manager.act('restart')
    await manager.act('stop')
    await manager.disable()
    await manager.forget()
    expect(calls()).toEqual([
      `bootout ${domain}/pegboard.board`,
      `bootstrap ${domain} /Users/ada/Library/LaunchAgents/pegboard.board.plist`,
      `kickstart ${domain}/pegboard.board`,
      `kickstart -k ${domain}/pegboard.board`,
      `kill SIGTERM ${domain}/pegboard.board`,
      `bootout ${domain}/pegboard.board`,
    ])
    expect(manager.logs(20, true)).toEqual(['tail', '-n', '20', '-F', '/Users/ada/Library/Logs/pegboard.board.log'])
  })

  it('is read by its words, and by its silence', async () => {
    program('launchctl', '\tstate = running\n\tpid = 4711\n')
    expect(await createLaunchd(place(true)).state()).toEqual({
      ...{ isEnabled: true, isRunning: true, word: 'running', pid: 4711, startsAtBoot: true },
    })
    program('launchctl', '', 113)
    expect(await createLaunchd(place()).state()).toMatchObject({
      isEnabled: false,
      isRunning: false,
      word: 'not loaded',
    })
  })

  it('is told of where it refuses, or is not there', async () => {
    program('launchctl', '', 5)
    await expect(createLaunchd(place()).enable()).rejects.toThrow(/launchctl bootstrap .* failed: exit code 5/)
    rmSync(join(folder, 'launchctl'))
    await expect(createLaunchd(place()).disable()).rejects.toThrow('launchctl was not found')
  })
})

describe.runIf(process.platform !== 'win32')("what Windows' task scheduler is asked", () => {
  const task = '\\Pegboard\\board'

  it('makes, runs, ends and deletes one task', async () => {
    program('schtasks')
    const manager = createTaskScheduler(place(true))
    await manager.requireUsable()
    await manager.enable()
    await manager.act('restart')
    await manager.act('stop')
    await manager.disable()
    await manager.forget()
    expect(calls().map((call) => call.split(' ')[0])).toEqual([
      '/Create',
      '/Run',
      '/End',
      '/Run',
      '/End',
      '/End',
      '/Delete',
    ])
    expect(calls()[0]).toBe(`/Create /TN ${task} /XML ${manager.file} /F /RU SYSTEM`)
    expect(manager.logs(5, false).join(' ')).toMatch(/^powershell .*board\.log' -Tail 5$/)
  })

  it('is read by its status, and told of where it refuses', async () => {
    program('schtasks', 'Folder: Pegboard\nStatus:        Running\n')
    expect(await createTaskScheduler(place()).state()).toMatchObject({
      isEnabled: true,
      isRunning: true,
      word: 'Running',
    })
    program('schtasks', '', 1)
    expect(await createTaskScheduler(place()).state()).toMatchObject({ isEnabled: false, word: 'not there' })
    await expect(createTaskScheduler(place()).act('start')).rejects.toThrow('schtasks /Run')
  })
})

describe('whoever keeps services', () => {
  it('is found by the system, with a name that can be a file', () => {
    expect([findManager({}, 'darwin').kind, findManager({}, 'win32').kind]).toEqual(['launchd', 'task scheduler'])
    expect(() => findManager({ name: '../x' }, 'linux')).toThrow('--name becomes the name of a file')
    expect(() => findManager({}, 'sunos')).toThrow('No service manager is known for sunos')
  })
})
