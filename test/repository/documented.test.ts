import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { program } from '../../src/cli/program.js'
import { outsideSettings, toFlag } from '../../src/config/layers.js'
import { loadConfig } from '../../src/config/load.js'
import { errorCodes } from '../../src/errors.js'
import { byProcess, flags, keptAt, settings } from '../helpers/documented.js'
import { root } from '../helpers/snippets.js'

const pages = ['docs/cli.md', 'docs/config.md'].map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
const isCode = (name: string): boolean => (errorCodes as readonly string[]).includes(name)

/** Variables stand in backquotes, alone or with a value; ours also elsewhere. What a `${…}` names is the reader's own. */
const documentedVariables = [
  ...new Set([
    ...[...pages.matchAll(/`([A-Z][A-Z0-9_]{2,})(?:=[^`]*)?`/g)].map(([, name]) => name!),
    ...[...pages.matchAll(/(?<!\$\{)\b((?:PEGBOARD|REGISTRYTOOLS)_[A-Z0-9_]+)/g)].map(([, name]) => name!),
  ]),
].filter((name) => !isCode(name))
const documentedFlags = [
  ...new Set([...pages.matchAll(/(?<![\w-])(--[a-z][a-z0-9-]*[a-z0-9])/g)].map(([, flag]) => flag!)),
]

const leaves = (command: Command, path: readonly string[] = []): readonly (readonly [readonly string[], Command])[] => [
  ...(command === program || command.commands.length === 0 ? [[path, command] as const] : []),
  ...command.commands.flatMap((each) => leaves(each as Command, [...path, each.name()])),
]
const commands = leaves(program)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-documented-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((here, key) => (here as Record<string, unknown> | undefined)?.[key], value)
const load = (options: object) => loadConfig({ cwd: folder, env: {}, dataFolder: join(folder, 'data'), ...options })

const rows = outsideSettings().map((setting) => ({ ...setting, key: setting.path.join('.') }))
/** What has no row fails below, by name, and nowhere else. */
const hasRow = ({ key }: { readonly key: string }): boolean => Object.hasOwn(settings, key)
const variables = rows.flatMap(({ key, env }) => env.map((name) => [name, key] as const))
const settingFlags = rows.flatMap(({ key, flag }) => (flag === undefined ? [] : [[toFlag(flag), key, flag] as const]))

describe('everything that is documented to be settable', () => {
  it('has a row: variables (else: add one to documented.ts)', () => {
    const known = new Set<string>([...variables.map(([name]) => name), ...byProcess])
    expect(documentedVariables.filter((name) => !known.has(name))).toEqual([])
    expect(rows.filter((row) => !hasRow(row)).map(({ key }) => key)).toEqual([])
  })

  it('has a row: flags, those of the pages and those of the commands (else: add one to documented.ts)', () => {
    const known = new Set<string>([...settingFlags.map(([flag]) => flag), ...Object.keys(flags), ...byProcess])
    const typed = commands.flatMap(([, { options }]) => options.map(({ long }) => long!))
    expect([...new Set([...documentedFlags, ...typed])].filter((flag) => !known.has(flag))).toEqual([])
  })

  it('has no row for what is gone', () => {
    const typed = new Set(commands.flatMap(([, { options }]) => options.map(({ long }) => long)))
    expect(Object.keys(flags).filter((flag) => !typed.has(flag))).toEqual([])
    expect(Object.keys(settings).filter((key) => !rows.some((row) => row.key === key))).toEqual([])
  })
})

describe('a documented variable', () => {
  it.each(variables.filter(([, key]) => hasRow({ key })))('%s sets %s', async (name, key) => {
    const [given, becomes] = settings[key]!
    const { config, notes } = await load({ env: { [name]: given } })
    expect(at(config, keptAt[key] ?? key)).toEqual(becomes)
    expect(notes).toEqual([])
  })

  it('changes something: its value is not what is there without it', async () => {
    const { config } = await load({})
    const idle = Object.entries(settings).filter(([key, [, becomes]]) => at(config, keptAt[key] ?? key) === becomes)
    expect(idle.map(([key]) => key)).toEqual([])
  })
})

/** What a command is given when this is typed; its action is exchanged for one that looks. */
const parsed = async (path: readonly string[], command: Command, typed: readonly string[]) => {
  let seen: Record<string, unknown> | undefined
  const asked = command.registeredArguments.filter(({ required }) => required).map(() => 'x')
  const own = command as Command & { _actionHandler: unknown }
  const before = own._actionHandler
  own._actionHandler = () => {
    seen = command.opts()
  }
  try {
    await program.parseAsync([...path, ...asked, ...typed], { from: 'user' })
  } finally {
    own._actionHandler = before
  }
  return seen
}

describe('a documented flag', () => {
  const isKnown = ({ long }: { readonly long?: string | undefined }): boolean =>
    Object.hasOwn(flags, long!) || settingFlags.some(([flag, key]) => flag === long && hasRow({ key }))
  const cases = commands.flatMap(([path, command]) =>
    command.options.filter(isKnown).map((option) => [[...path, option.long].join(' '), path, command, option] as const),
  )

  it.each(cases)('%s reaches its command', async (_title, path, command, option) => {
    const setting = settingFlags.find(([flag]) => flag === option.long)
    const [typed, gets] = setting
      ? option.required
        ? [[settings[setting[1]]![0]], settings[setting[1]]![0]]
        : [[], true]
      : flags[option.long!]!
    const seen = await parsed(path, command, [option.long!, ...typed])
    expect(seen?.[option.attributeName()]).toEqual(gets)
  })

  it.each(settingFlags.filter(([, key]) => hasRow({ key })))('%s sets %s', async (_flag, key, name) => {
    const [given, becomes] = settings[key]!
    const { config } = await load({ flags: { [name]: given === 'true' ? true : given } })
    expect(at(config, keptAt[key] ?? key)).toEqual(becomes)
  })

  it('is read by the program: none is parsed and forgotten', () => {
    const files = readdirSync(join(root, 'src/cli'), { recursive: true, encoding: 'utf8' })
    const code = files
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|commands\.ts$|program\.ts$|flags\.ts$/.test(file))
      .map((file) => readFileSync(join(root, 'src/cli', file), 'utf8'))
      .join('\n')
    const names = commands.flatMap(([, { options }]) =>
      options.map((option) => [option.long!, option.attributeName()] as const),
    )
    const forgotten = names.filter(
      ([flag, name]) => Object.hasOwn(flags, flag) && !new RegExp(`\\b${name}\\b`).test(code),
    )
    expect(forgotten).toEqual([])
  })
})
