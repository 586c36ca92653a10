import { describe, expect, it } from 'vitest'
import { isNewer, readAnswer, upgradeCommand } from './upgrade.js'

describe('a newer version (N13)', () => {
  it.each([
    ['1.2.3', '1.2.3', false],
    ['1.2.10', '1.2.9', true],
    ['1.10.0', '1.9.9', true],
    ['0.9.0', '1.0.0', false],
    ['1.0.0', '1.0.0-rc.1', true],
    ['1.0.0-rc.1', '1.0.0', false],
  ])('%s beside %s: %s', (candidate, own, newer) => {
    expect(isNewer(candidate, own)).toBe(newer)
  })

  it.each([
    ['once', 'npm', 'npx -y pegboard@2.0.0'],
    ['global', 'npm', 'npm install -g pegboard@2.0.0'],
    ['global', 'pnpm', 'pnpm add -g pegboard@2.0.0'],
    ['local', 'yarn', "cd '/home/ann/my app' && yarn add pegboard@2.0.0"],
    ['container', 'npm', 'docker compose build --pull && docker compose up -d'],
    ['clone', 'npm', 'cd /opt/p && git pull && npm ci && npm run build'],
  ] as const)('of one that is %s, by %s, is had by %s', (kind, by, command) => {
    expect(upgradeCommand({ kind, by, root: '/opt/p', project: '/home/ann/my app' }, '2.0.0')).toBe(command)
  })

  it.each([
    [{ code: 0, stdout: '"1.2.3"\n' }, { newest: '1.2.3' }],
    [{ code: 0, stdout: '"$(rm -rf /)"' }, { problem: 'npm ended with exit code 0' }],
    [
      { code: 1, stdout: '{"error":{"code":"E404"}}' },
      { problem: 'the registry that npm is set to does not have pegboard' },
    ],
    [
      { code: 1, stdout: '{"error":{"code":"ENOTFOUND"}}' },
      { problem: 'offline, or the registry is not there (ENOTFOUND)' },
    ],
    [{ code: null, stdout: '' }, { problem: 'npm did not answer within 20 s' }],
    [{ code: null, stdout: '', missing: true }, { problem: 'npm was not found' }],
  ])('is read from what npm says: %j', (end, answer) => {
    expect(readAnswer({ stderr: '', missing: false, ...end })).toEqual(answer)
  })
})
