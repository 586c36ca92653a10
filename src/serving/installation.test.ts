import { describe, expect, it } from 'vitest'
import { installationOf } from './installation.js'

const at = (script: string, ...there: readonly string[]) => {
  const { kind, by, project } = installationOf(script, (file) => there.includes(file))
  return [kind, by, project]
}

describe('how this program came to this machine', () => {
  it.each([
    ['/home/a/.npm/_npx/5f1/node_modules/pegboard/dist/cli/main.js', 'npm'],
    ['/home/a/.cache/pnpm/dlx/x/1/node_modules/.pnpm/pegboard@1/node_modules/pegboard/dist/cli/main.js', 'pnpm'],
    ['/tmp/bunx-0-pegboard@latest/node_modules/pegboard/dist/cli/main.js', 'bun'],
  ])('%s was fetched for one run', (script, by) => {
    expect(at(script)).toEqual(['once', by, undefined])
  })

  it.each([
    ['/usr/local/lib/node_modules/pegboard/dist/cli/main.js', 'npm'],
    ['/home/a/.nvm/versions/node/v24.1.0/lib/node_modules/pegboard/dist/cli/main.js', 'npm'],
    ['/home/a/.volta/tools/image/packages/pegboard/lib/node_modules/pegboard/dist/cli/main.js', 'npm'],
    ['/home/a/.local/share/pnpm/global/5/.pnpm/pegboard@1/node_modules/pegboard/dist/cli/main.js', 'pnpm'],
    ['/home/a/.config/yarn/global/node_modules/pegboard/dist/cli/main.js', 'yarn'],
    ['/home/a/.bun/install/global/node_modules/pegboard/dist/cli/main.js', 'bun'],
  ])('%s is there for all folders', (script, by) => {
    expect(at(script)).toEqual(['global', by, undefined])
  })

  it('a project may have it, by the manager whose lock it has', () => {
    const script = '/home/ann/app/node_modules/pegboard/dist/cli/main.js'
    expect(at(script, '/home/ann/app/package.json')).toEqual(['local', 'npm', '/home/ann/app'])
    expect(at(script, '/home/ann/app/package.json', '/home/ann/app/pnpm-lock.yaml')).toEqual([
      'local',
      'pnpm',
      '/home/ann/app',
    ])
    // Also one that lies in a folder of such a name.
    const lib = '/home/ann/lib/node_modules/pegboard/dist/cli/main.js'
    expect(at(lib, '/home/ann/lib/package.json')).toEqual(['local', 'npm', '/home/ann/lib'])
  })

  it('else it is a clone, or an image', () => {
    expect(at('/home/ann/pegboard/dist/cli/main.js')).toEqual(['clone', 'npm', undefined])
    expect(at('/app/node_modules/pegboard/dist/cli/main.js', '/.dockerenv')).toEqual(['container', 'npm', undefined])
  })
})
