import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

describe('docs/api-reference', () => {
  it('says what the code says (npm run docs writes it)', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/api-reference.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
  })

  it('describes a class, an interface, a function and another name of one', () => {
    const page = readFileSync(join(root, 'docs/api-reference/pegboard.md'), 'utf8')
    expect(page).toMatch(/### Gateway\n\nOne board of tools.*\n\n```ts\ninterface Gateway /)
    expect(page).toMatch(/### createGateway\n/)
    expect(page).toMatch(/### MCPRegistry\n[\s\S]*?class MCPRegistry /)
    expect(page).not.toMatch(/#private|\bdeclare\b.*\bconst\b/)
  })
})
