import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withReference } from '../../scripts/cli-reference.mjs'
import { exitCodes } from '../../src/cli/exit.js'
import { program } from '../../src/cli/program.js'

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')

describe('docs/cli.md', () => {
  it('has every command as it is now (else: npm run build && node scripts/cli-reference.mjs)', () => {
    expect(page).toBe(withReference(page, program))
  })

  it('explains every exit code', () => {
    for (const code of Object.values(exitCodes)) expect(page).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'))
  })
})

describe('every command', () => {
  const all = (command: typeof program): (typeof program)[] => [command, ...command.commands.flatMap(all)]

  it('is described, and gives JSON unless its output is for another program', () => {
    const plain = new Set(['stdio', 'schema', 'show', 'inspect', 'completion', 'help'])
    const leaves = all(program).filter(({ commands }) => commands.length === 0)
    expect(leaves.filter((command) => command.description() === '').map((command) => command.name())).toEqual([])
    const silent = leaves.filter((command) => !command.options.some(({ long }) => long === '--json'))
    expect(silent.map((command) => command.name()).filter((name) => !plain.has(name))).toEqual([])
  })
})
