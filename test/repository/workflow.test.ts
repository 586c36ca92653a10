import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('.github', () => {
  it('runs on each supported Node what every clean clone must pass', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml'))
    const { strategy, steps } = jobs.check
    expect(strategy.matrix.node).toEqual([20, 22, 24])
    expect(JSON.parse(read('package.json')).engines.node).toMatch(`>=${strategy.matrix.node[0]}.`)
    // Where there is one version only, the others are fetched for what is short.
    expect(read('.ci/run')).toContain(`on-node.mjs ${strategy.matrix.node.slice(1).join(' ')} -- `)
    expect(steps.map(({ run }: { run?: string }) => run).filter(Boolean)).toEqual(['.ci/run'])
    expect(statSync(join(root, '.ci/run')).mode & 0o111).not.toBe(0)
  })

  it.each(readdirSync(join(root, '.github/ISSUE_TEMPLATE')))('%s is a form in both languages', (file) => {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${file}`))
    if (file === 'config.yml') return expect(form).toHaveProperty('blank_issues_enabled')
    const labels = form.body.flatMap(({ attributes }: { attributes: { label?: string } }) => attributes.label ?? [])
    const texts: string[] = [form.name, form.description, ...labels]
    expect(texts.filter((text) => !/\p{Script=Han}/u.test(text))).toEqual([])
    const ids = form.body.flatMap(({ id }: { id?: string }) => id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
  })
})
