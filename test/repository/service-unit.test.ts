import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemdUnit } from '../../src/cli/commands/service/systemd-unit.js'
import { root } from '../helpers/snippets.js'

describe('the unit in ops', () => {
  it('is what `pegboard service install --system` writes, for a package that npm installed globally', async () => {
    const unit = systemdUnit({
      name: 'pegboard',
      isSystem: true,
      command: ['/usr/bin/env', 'pegboard'],
      args: ['serve', '--json', '--config', '/etc/pegboard/pegboard.json', '--data-path', '/var/lib/pegboard'],
      path: ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'],
      config: '/etc/pegboard/pegboard.json',
      dataFolder: '/var/lib/pegboard',
      environmentFile: '/etc/pegboard/pegboard.env',
      version: 'any',
      isHardened: true,
    })
    const shown = unit
      .replace(/^#.*\n/, '# /etc/systemd/system/pegboard.service, after: npm install -g pegboard\n')
      .replace(/^# Pegboard: .*\n/m, '')
    // Written anew by: npx vitest run test/repository/service-unit.test.ts -u
    await expect(shown).toMatchFileSnapshot(join(root, 'ops/pegboard.service'))
  })
})
