import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { environmentText } from '../../../src/cli/commands/service/environment-file.js'
import { readFacts } from '../../../src/cli/commands/service/facts.js'
import { launchdPlist } from '../../../src/cli/commands/service/launchd-plist.js'
import type { ServicePlan } from '../../../src/cli/commands/service/plan.js'
import { taskXml } from '../../../src/cli/commands/service/task-xml.js'

const plan: ServicePlan = {
  name: 'pegboard',
  isSystem: false,
  command: ['/opt/node', '/opt/a & b/main.js'],
  args: ['serve', '--json', '--config', '/Users/ada/<board>--1.json'],
  path: ['/opt/homebrew/bin', '/usr/bin'],
  config: '/Users/ada/<board>--1.json',
  dataFolder: '/Users/ada/data',
  environmentFile: '/Users/ada/pegboard.env',
  version: '1.0.0',
  isHardened: true,
}

const python = spawnSync('python3', ['--version']).status === 0
if (!python) console.log('python3 is not installed: nobody reads the definitions for macOS and Windows')

const read = (program: string, input: string): string => {
  const run = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' })
  expect(run.stderr).toBe('')
  return run.stdout
}

const plistOf = (text: string) =>
  JSON.parse(read('import plistlib,sys,json;print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))', text))

/** Neither system is here: that the files say what they should is all that is shown. */
describe.runIf(python)('definitions for other systems', () => {
  it('for launchd: a property list with the words of the command, apart', () => {
    const text = launchdPlist(plan, 'pegboard.pegboard', '/Users/ada/x.log')
    const said = plistOf(text)
    expect(said.ProgramArguments.slice(0, 2)).toEqual(['/bin/sh', '-c'])
    expect(said.ProgramArguments.slice(3)).toEqual([plan.environmentFile, ...plan.command, ...plan.args])
    expect(said).toMatchObject({ RunAtLoad: true, KeepAlive: { SuccessfulExit: false } })
    expect(said.EnvironmentVariables.PATH).toBe('/opt/homebrew/bin:/usr/bin')
    expect(readFacts(text)).toMatchObject({ config: plan.config, isUntouched: true })
  })

  it('for launchd: the shell in it hands on the variables of the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-launchd-'))
    const environmentFile = join(folder, 'x.env')
    writeFileSync(environmentFile, environmentText(['SECRET'], { SECRET: 'a "b" $c' }))
    const text = launchdPlist({ ...plan, command: ['printenv'], args: ['SECRET'], environmentFile }, 'x', '/x')
    const [command, ...args] = plistOf(text).ProgramArguments
    expect(spawnSync(command, args, { encoding: 'utf8' }).stdout).toBe('a "b" $c\n')
    rmSync(folder, { recursive: true })
  })

  it('for Windows: a task that starts with the sign-in, or with the machine', () => {
    const program =
      'import sys,xml.dom.minidom as m;d=m.parse(sys.stdin.buffer);print(d.getElementsByTagName("Arguments")[0].firstChild.data)'
    const text = taskXml(plan, 'C:\\x.log')
    expect(read(program, text)).toContain('"/opt/node" "/opt/a & b/main.js" "serve"')
    expect(text).toContain('LogonTrigger')
    expect(taskXml({ ...plan, isSystem: true }, 'x')).toContain('BootTrigger')
    expect(readFacts(text)).toMatchObject({ config: plan.config, isUntouched: true })
  })
})
