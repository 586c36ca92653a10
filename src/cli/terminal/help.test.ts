import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

/** Every command at any depth, by what is typed. */
const all = (command: Command, path: readonly string[] = []): readonly (readonly [string, Command])[] => [
  [path.join(' '), command],
  ...command.commands.flatMap((each) => all(each, [...path, each.name()])),
]

const han = /\p{Script=Han}/u

describe('help in a Chinese shell (U9)', () => {
  let commands: readonly (readonly [string, Command])[]
  beforeAll(async () => {
    vi.stubEnv('LC_ALL', 'zh_CN.UTF-8')
    vi.resetModules()
    commands = all((await import('../program.js')).program)
  })
  afterAll(() => void vi.unstubAllEnvs())

  it('describes every command, option and argument in Chinese', () => {
    const english = commands.flatMap(([path, command]) => [
      ...(han.test(command.description()) ? [] : [path]),
      ...command.options.filter(({ description }) => !han.test(description)).map(({ flags }) => `${path} ${flags}`),
      ...command.registeredArguments
        .filter(({ description }) => !han.test(description))
        .map((argument) => `${path} <${argument.name()}>`),
    ])
    expect(english).toEqual([])
  })

  it('has no English heading, and no English sentence in any line of any help', () => {
    const lines = commands.flatMap(([path, command]) => {
      const text = command.helpInformation()
      return text.split('\n').map((line) => `${path}: ${line}`)
    })
    // A heading is a line that ends with a colon; a sentence is four plain words in a row.
    expect(lines.filter((line) => /^[^:]*: [A-Z][\w ]*:$/.test(line) || /(?:[a-z]+ ){3}[a-z]+/.test(line))).toEqual([])
  })
})

describe('help anywhere else', () => {
  it('is English, the headings included', async () => {
    vi.resetModules()
    const { program } = await import('../program.js')
    const text = program.helpInformation()
    expect(text).toMatch(/^Usage: pegboard \[options\] \[command\]/)
    expect(text).not.toMatch(han)
  })
})
