import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { referencePages } from '../../scripts/reference/pages.mjs'
import { program } from '../../src/cli/program.js'
import { examples } from '../../src/cli/terminal/examples.js'
import { exitCodes, exitMeanings } from '../../src/cli/terminal/exit.js'
import { outsideSettings, toFlag } from '../../src/config/layers.js'
import { configJsonSchema } from '../../src/config/schema.js'
import { settingAt } from '../../src/config/settings/setting.js'
import { settings } from '../../src/config/settings/table.js'
import { root, snippetsOf } from '../helpers/snippets.js'

const read = (page: string): string => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
const schema = configJsonSchema()
const pages = referencePages({
  program,
  examples,
  exitMeanings,
  schema,
  outsideSettings: outsideSettings(),
  toFlag,
  isLive: (path) => settingAt(settings, path)?.live,
})

describe.each(Object.entries(pages))('docs/%s', (page, rewrite) => {
  it('says what the code says (else: npm run docs)', () => {
    const text = read(page)
    expect(text).toBe(rewrite(text))
  })
})

type Schema = Readonly<Record<string, unknown>>

/** Every key at any depth that lacks a description, by its place. */
const undescribed = (value: Schema, place: string): readonly string[] => {
  const inner = [...((value.anyOf as Schema[] | undefined) ?? []), value.items, value.additionalProperties]
  const keys = Object.entries((value.properties as Record<string, Schema> | undefined) ?? {})
  return [
    ...keys.flatMap(([key, each]) => [
      ...(typeof each.description === 'string' ? [] : [`${place}.${key}`]),
      ...(Array.isArray(each.examples) ? [] : undescribed(each, `${place}.${key}`)),
    ]),
    ...inner.flatMap((each) => (typeof each === 'object' ? undescribed(each as Schema, place) : [])),
  ]
}

describe('the schema of the configuration', () => {
  it('says what every key means', () => {
    const { mcpServers: _, servers: __, ...properties } = schema.properties as Record<string, Schema>
    expect(undescribed({ properties }, 'file')).toEqual([])
  })

  it('has an example of every section', () => {
    // That each can be used is checked with all the others: snippets.test.ts.
    expect(snippetsOf('docs/config.md', 'json').length).toBe(read('config.md').match(/^### (?!Other)/gm)!.length)
  })
})

/** The names of all keys at any depth, but for those that others name: sources, profiles, headers. */
const keysOf = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { properties = {}, anyOf = [], items, additionalProperties } = value as Record<string, object | undefined>
  const inner = [...Object.values(properties), ...Object.values(anyOf), items, additionalProperties]
  return [...Object.keys(properties), ...inner.flatMap(keysOf)]
}

describe('every key of the configuration', () => {
  it('is read by somebody: the grammar promises nothing that nothing does', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/\.test\.ts$|^config\/(?:settings\/.*|(?:.*-)?schema\.ts)$/.test(file),
    )
    const code = files.map((file) => readFileSync(join(root, 'src', file), 'utf8')).join('\n')
    // `$schema` is for editors; the loader skips it.
    const keys = [...new Set(keysOf(schema))].filter((key) => key !== '$schema')
    expect(keys.length).toBeGreaterThan(80)
    expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(code))).toEqual([])
  })
})

describe('settings from outside the file', () => {
  it('have no flag that no command knows', () => {
    const known = new Set([program, ...program.commands].flatMap(({ options }) => options.map(({ long }) => long)))
    const flags = outsideSettings().flatMap(({ flag }) => (flag === undefined ? [] : [toFlag(flag)]))
    expect(flags.filter((flag) => !known.has(flag))).toEqual([])
  })
})

describe('every command', () => {
  const all = (command: typeof program, path: readonly string[] = []): readonly (readonly [string, typeof program])[] =>
    command.commands.flatMap((each) => {
      const here = [...path, each.name()]
      return each.commands.length > 0 ? all(each, here) : [[here.join(' '), each] as const]
    })
  const leaves = all(program)

  it('is described and has an example; no example is of a command that there is not', () => {
    expect(leaves.filter(([, command]) => command.description() === '').map(([path]) => path)).toEqual([])
    expect(Object.keys(examples).sort()).toEqual(leaves.map(([path]) => path).sort())
  })

  it('gives JSON, unless its output is for another program', () => {
    const plain = new Set(['stdio', 'completion'])
    const silent = leaves.filter(([, command]) => !command.options.some(({ long }) => long === '--json'))
    expect(silent.map(([path]) => path).filter((path) => !plain.has(path))).toEqual([])
  })

  it('ends with a code that is explained', () => {
    expect(Object.keys(exitMeanings).map(Number).sort()).toEqual(Object.values(exitCodes).sort())
  })
})
