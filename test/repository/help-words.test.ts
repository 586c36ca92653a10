import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

/** Everything that the help of a command shows, with where it stands. */
const saidBy = (command: Command, path: string): readonly (readonly [string, string])[] => [
  [path, command.description()],
  ...command.options.map(({ flags, description }) => [`${path} ${flags}`, description] as const),
  ...command.registeredArguments.map((each) => [`${path} <${each.name()}>`, each.description] as const),
  ...command.commands.flatMap((each) => saidBy(each, `${path} ${each.name()}`)),
]

/** Read as the program is made: whatever command comes to be is in it. */
describe('the help of every command', () => {
  const read = async (language: string) => {
    vi.resetModules()
    vi.stubEnv('LC_ALL', language)
    const { program } = await import('../../src/cli/program.js')
    return saidBy(program, 'pegboard')
  }
  let english: Awaited<ReturnType<typeof read>>
  let chinese: typeof english
  beforeAll(async () => {
    english = await read('C.UTF-8')
    chinese = await read('zh_CN.UTF-8')
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    vi.resetModules()
  })

  it('is in Chinese in a Chinese shell', () => {
    expect(chinese.length).toBeGreaterThan(300)
    expect(chinese.filter(([, text]) => !/\p{Script=Han}/u.test(text))).toEqual([])
  })

  it('is in English elsewhere, and never empty', () => {
    expect(english.filter(([, text]) => text === '' || /\p{Script=Han}/u.test(text))).toEqual([])
  })

  it('has the same commands, options and arguments', () => {
    expect(chinese.map(([path]) => path)).toEqual(english.map(([path]) => path))
  })
})
