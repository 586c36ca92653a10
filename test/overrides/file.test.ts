import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.js'
import { redacted } from '../../src/config/redact.js'
import { secretsOf } from '../../src/config/secret-values.js'
import { variable } from '../../src/config/settings/kinds-of-value.js'
import { overrideRulesOf } from '../../src/serving/overrides.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-overrides-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const load = async (config: object, env: Record<string, string> = {}) => {
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, JSON.stringify(config))
  return loadConfig({ file, cwd: folder, env })
}

const argument = (set: unknown) => ({ 'a.b': { arguments: { owner: { set } } } })

describe('overrides in the file', () => {
  it('are read of the board, of a source and of a profile', async () => {
    const { config } = await load({
      overrides: { 'a.b': { name: 'c' } },
      sources: { a: { url: 'https://a.example/mcp', overrides: { b: { title: 'B' } } } },
      profiles: { desk: { overrides: { 'a.b': { enabled: false } } } },
    })
    expect(overrideRulesOf(config)).toEqual({
      tools: { 'a.b': { name: 'c' } },
      sources: { a: { b: { title: 'B' } } },
      profiles: { desk: { 'a.b': { enabled: false } } },
    })
    expect(overrideRulesOf((await load({})).config)).toBeUndefined()
  })

  it('take secrets by reference, which is all that is ever shown of them', async () => {
    const env = { OWNER: 'nobody-may-see-this' }
    const loaded = await load(
      {
        overrides: argument(variable('OWNER')),
        profiles: { desk: { overrides: { 'a.b': { arguments: { owner: { set: { deep: variable('OWNER') } } } } } } },
        sources: {
          a: { url: 'https://a.example/mcp', overrides: { b: { arguments: { x: { set: 'plain', secret: true } } } } },
        },
      },
      env,
    )
    expect(overrideRulesOf(loaded.config)).toMatchObject({
      tools: argument(env.OWNER),
      profiles: { desk: { 'a.b': { arguments: { owner: { secret: true } } } } },
    })
    const shown = JSON.stringify(redacted(loaded.config, loaded.references))
    expect(shown).not.toContain(env.OWNER)
    expect(shown).not.toContain('plain')
    expect(shown).toContain(`"set":"${variable('OWNER')}"`)
    expect(secretsOf(loaded)).toContain(env.OWNER)
  })

  it('may name a variable only in what is set: everything else is shown to everybody', async () => {
    const wrong = load(
      { overrides: { 'a.b': { arguments: { owner: { default: variable('OWNER') } } } } },
      { OWNER: 'x' },
    )
    await expect(wrong).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/overrides.*owner\.default.*only "set" can/s),
    })
  })

  it('are refused by their place where a key is wrong', async () => {
    const wrong = load({ overrides: { 'a.b': { arguments: { owner: { sett: 'x' } } } } })
    await expect(wrong).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(/sett/) })
  })
})
