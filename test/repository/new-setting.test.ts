import { describe, expect, it } from 'vitest'
import { referencePages } from '../../scripts/reference/pages.mjs'
import { settingOptions } from '../../src/cli/flags.js'
import { program } from '../../src/cli/program.js'
import { examples } from '../../src/cli/terminal/examples.js'
import { exitMeanings } from '../../src/cli/terminal/exit.js'
import { outsideSettings, readLayers, toFlag } from '../../src/config/layers.js'
import { configJsonSchema } from '../../src/config/schema.js'
import { whole } from '../../src/config/settings/kinds-of-value.js'
import { section, setting, settingAt, settingsIn } from '../../src/config/settings/setting.js'
import { settings } from '../../src/config/settings/table.js'
import { schemaOf } from '../../src/config/settings-schema.js'
import { editableIn } from '../../src/serving/admin/settings.js'

/** The table as it would be with one more entry, and nothing else changed. */
const table = {
  ...settings,
  teapot: section('How tea is made', {
    steepMs: setting(whole(1, 600_000), {
      about: 'How long tea stands',
      default: 180_000,
      env: ['PEGBOARD_STEEP_MS'],
      flag: { name: 'steepMs', value: 'ms', help: ['how long tea stands', '茶要泡多久'], on: 'served' },
      live: true,
      editable: true,
      label: ['Steeping', '泡茶时间'],
      help: ['Milliseconds.', '毫秒。'],
    }),
  }),
}

describe('a new setting is one entry of the table', () => {
  it('is checked and filled in by the schema of the file', () => {
    expect(schemaOf(table).parse({})).toMatchObject({ teapot: { steepMs: 180_000 } })
    expect(schemaOf(table).safeParse({ teapot: { steepMs: 0 } }).success).toBe(false)
    expect(configJsonSchema(table)).toMatchObject({
      properties: { teapot: { properties: { steepMs: { default: 180_000, description: 'How long tea stands' } } } },
    })
  })

  it('is set by its variable, and by its flag before that', () => {
    const env = { PEGBOARD_STEEP_MS: '5' }
    const path = ['teapot', 'steepMs']
    expect(readLayers({}, env, undefined, table).overrides).toEqual([{ path, value: 5, from: 'PEGBOARD_STEEP_MS' }])
    const flags = { steepMs: '7' } as object
    expect(readLayers(flags, env, undefined, table).overrides).toEqual([{ path, value: 7, from: '--steep-ms' }])
    expect(settingOptions('served', table).map(({ flags: typed }) => typed)).toContain('--steep-ms <ms>')
  })

  it('is a field of the console in both languages', () => {
    expect(editableIn(table).find(({ path }) => path === 'teapot.steepMs')).toEqual({
      path: 'teapot.steepMs',
      kind: 'number',
      choices: undefined,
      live: true,
      label: { en: 'Steeping', zh: '泡茶时间' },
      help: { en: 'Milliseconds.', zh: '毫秒。' },
    })
  })

  it('is on the pages', () => {
    const pages = referencePages({
      program,
      examples,
      exitMeanings,
      schema: configJsonSchema(table),
      outsideSettings: outsideSettings(table),
      toFlag,
      isLive: (path) => settingAt(table, path)?.live,
    })
    const markers = '<!-- keys: written by npm run docs -->\n<!-- end of keys -->'
    expect(pages['config.md']!(markers)).toMatch(
      /`steepMs` .* How long tea stands \| at once \| `--steep-ms`, `PEGBOARD_STEEP_MS`/,
    )
  })
})

describe('the table of settings', () => {
  const all = settingsIn(settings)

  it('has words in both languages for every setting', () => {
    for (const { place, label, help, flag } of all)
      for (const words of [label, help, flag?.help])
        if (words) expect(words[1], place).toMatch(/[\u4e00-\u9fff]|OpenTelemetry/)
  })

  it('names no variable and no flag twice', () => {
    const names = all.flatMap(({ env = [], lenientEnv = [], flag }) => [
      ...env,
      ...lenientEnv,
      ...(flag ? [flag.name] : []),
    ])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('lets a browser change nothing that is a secret, an address, a folder or a structure', () => {
    const changed = all.filter(({ editable }) => editable)
    expect(changed.filter(({ kind }) => kind.isPath || kind.name === 'structure').map(({ place }) => place)).toEqual([])
    expect(changed.map(({ place }) => place).filter((place) => /token|key$|host|url|origin/i.test(place))).toEqual([])
  })
})
