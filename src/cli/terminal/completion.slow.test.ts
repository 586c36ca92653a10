import { spawnSync } from 'node:child_process'
import { describe, expect, it, vi } from 'vitest'
import { missingArguments } from '../commands/missing-arguments.js'
import { loadOf } from '../commands/top.js'
import { program } from '../program.js'
import { completion, wordsOf } from './completion.js'

const scriptFor = (shell: string): string => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    completion(shell, program)
    return String(write.mock.calls[0]![0])
  } finally {
    write.mockRestore()
  }
}

describe('completion', () => {
  it('knows every command with its options', () => {
    const words = new Map(wordsOf(program).map((each) => [each.path, each]))
    expect([...words.keys()]).toEqual(expect.arrayContaining(['', 'lock approve', 'config check', 'import']))
    expect(words.get('import')!.options.map(({ flag }) => flag)).toContain('--dry-run')
  })

  it.each([
    [['pegboard', 'lock', ''], 'write diff approve'],
    [['pegboard', 'doc'], 'doctor'],
    [['pegboard', 'import', '--dry'], '--dry-run'],
    [['pegboard', 'lock', 'approve', '--al'], '--all'],
  ])('in bash completes %j', (typed, expected) => {
    const words = typed.map((word) => `'${word}'`).join(' ')
    const test = `${scriptFor('bash')}\nCOMP_WORDS=(${words}); COMP_CWORD=${typed.length - 1}; _pegboard; echo "\${COMPREPLY[@]}"`
    expect(spawnSync('bash', ['-c', test]).stdout.toString()).toContain(expected)
  })

  it('is there for zsh and fish', () => {
    expect(scriptFor('zsh')).toContain('bashcompinit')
    expect(scriptFor('fish')).toContain("complete -c pegboard -n '__fish_seen_subcommand_from lock' -f -a write")
    expect(() => completion('tcsh', program)).toThrow('bash, zsh, fish')
  })
})

describe('missing arguments', () => {
  it('are the required ones that were not given, with what is known of them', () => {
    const definition = {
      name: 't',
      inputSchema: {
        type: 'object',
        required: ['a', 'b', 'c', 7],
        properties: { a: { type: 'string', description: 'words' }, b: { type: 'number', enum: [1, 2] } },
      } as never,
    }
    expect(missingArguments({ definition }, { c: 1 })).toEqual([
      { name: 'a', hint: 'string; words', isText: true },
      { name: 'b', hint: 'number; one of 1, 2', isText: false },
    ])
    expect(missingArguments({ definition: { name: 't', inputSchema: {} } }, {})).toEqual([])
  })
})

describe('the load of tools', () => {
  it('counts the last minute, the busiest first', () => {
    const call = (tool: string, at: number, latencyMs: number, ok = true) => ({ tool, at, latencyMs, ok }) as never
    const calls = [call('a', 1, 5), call('a', 70_000, 5), call('b', 70_000, 1), call('b', 71_000, 9, false)]
    expect(loadOf(calls, 100_000)).toEqual([
      { tool: 'b', calls: 2, errors: 1, p50: 9, p95: 9 },
      { tool: 'a', calls: 1, errors: 0, p50: 5, p95: 5 },
    ])
  })
})
