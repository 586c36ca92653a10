import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFacts } from './facts.js'
import type { ServicePlan } from './plan.js'
import { systemdUnit } from './systemd-unit.js'

const plan: ServicePlan = {
  name: 'pegboard',
  isSystem: false,
  command: ['/opt/node/bin/node', '/opt/pegboard/dist/cli/main.js'],
  args: ['serve', '--json', '--config', '/home/ada/pegboard.json'],
  path: ['/opt/node/bin', '/home/ada/.local/bin', '/usr/bin'],
  config: '/home/ada/pegboard.json',
  dataFolder: '/home/ada/.local/share/pegboard',
  environmentFile: '/home/ada/.config/pegboard/pegboard.env',
  version: '1.2.3',
  isHardened: true,
}

const lineOf = (unit: string, name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

/** A command line as systemd.service(5) says that it is read. */
const readWords = (line: string): readonly string[] =>
  [...line.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, inQuotes, bare]) =>
    (inQuotes?.replace(/\\(.)/g, '$1') ?? bare!).replaceAll('%%', '%').replaceAll('$$', '$'),
  )

describe('the unit of a user', () => {
  const unit = systemdUnit(plan)

  it('starts this node and this program by whole paths, on the named file', () => {
    expect(lineOf(unit, 'ExecStart')).toBe(
      '/opt/node/bin/node /opt/pegboard/dist/cli/main.js serve --json --config /home/ada/pegboard.json',
    )
  })

  it('has the folders of other programs, and secrets only by a file', () => {
    expect(lineOf(unit, 'Environment')).toBe('"PATH=/opt/node/bin:/home/ada/.local/bin:/usr/bin"')
    expect(lineOf(unit, 'EnvironmentFile')).toBe('-/home/ada/.config/pegboard/pegboard.env')
  })

  it('is started again after a failure, but not over a configuration that is wrong', () => {
    expect(lineOf(unit, 'Restart')).toBe('on-failure')
    expect(lineOf(unit, 'RestartPreventExitStatus')).toBe('3 6')
  })

  it('asks nothing that a user manager cannot give, nor what would stop npx, a browser or bubblewrap', () => {
    expect(unit).not.toMatch(/^(?:ProtectSystem|ProtectHome|PrivateTmp|User|DynamicUser|MemoryDeny|RestrictNamesp)/m)
    expect(unit).toContain('NoNewPrivileges=yes')
    expect(systemdUnit({ ...plan, isHardened: false })).not.toContain('NoNewPrivileges')
  })

  it('begins with the sign-in; that of the machine with the machine', () => {
    expect(lineOf(unit, 'WantedBy')).toBe('default.target')
    expect(lineOf(systemdUnit({ ...plan, isSystem: true }), 'WantedBy')).toBe('multi-user.target')
  })

  it('keeps any words apart, whatever is in them', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1 }).filter((text) => !/\p{Cc}/u.test(text)),
          { minLength: 1 },
        ),
        (args) => {
          const line = lineOf(systemdUnit({ ...plan, args }), 'ExecStart')
          expect(readWords(line)).toEqual([...plan.command, ...args])
        },
      ),
    )
  })
})

describe('the unit of the machine', () => {
  it('runs as a user of its own, whose downloads lie with its data', () => {
    const unit = systemdUnit({ ...plan, isSystem: true, dataFolder: '/var/lib/pegboard' })
    expect(unit).toContain('DynamicUser=yes\nStateDirectory=pegboard\n')
    expect(unit).toContain('Environment="HOME=/var/lib/pegboard"')
    expect(unit).toContain('ProtectHome=yes')
  })

  it('or as somebody, whose home it then needs', () => {
    const unit = systemdUnit({ ...plan, isSystem: true, runAs: 'ada' })
    expect(unit).toContain('User=ada\n')
    expect(unit).not.toMatch(/^(?:DynamicUser|ProtectHome|ProtectSystem=strict)/m)
  })
})

describe('what a unit says of itself', () => {
  it('is read back, and whether somebody edited it', () => {
    const unit = systemdUnit({ ...plan, config: '/a--b/c.json' })
    expect(readFacts(unit)).toEqual({
      version: '1.2.3',
      command: plan.command,
      config: '/a--b/c.json',
      dataFolder: plan.dataFolder,
      environmentFile: plan.environmentFile,
      isUntouched: true,
    })
    expect(readFacts(unit.replace('RestartSec=2', 'RestartSec=9'))?.isUntouched).toBe(false)
  })

  it('is nothing where it is not ours', () => {
    expect(readFacts('[Service]\nExecStart=/usr/bin/pegboard serve\n')).toBeUndefined()
    expect(readFacts('# Pegboard: {broken}\n')).toBeUndefined()
  })
})
