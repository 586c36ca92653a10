import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { program } from '../../src/cli/program.js'
import { wordsOf } from '../../src/cli/terminal/completion.js'
import { errorCodes } from '../../src/errors.js'

const read = (page: string): string => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
const known = new Map(wordsOf(program).map(({ path, options }) => [path, new Set(options.map(({ flag }) => flag))]))

/** Every `pegboard …` in code on a page, with the options that it is given. */
const commandsIn = (text: string) =>
  [...text.matchAll(/(?:^ *|`|&& |\$\()(?:npx )?pegboard ((?:[a-z-]+ ?)*)([^`\n#]*)/gm)].map(
    ([whole, words = '', rest = '']) => {
      const typed = words.trim().split(' ')
      const path = [typed.slice(0, 2).join(' '), typed[0]!].find((each) => known.has(each))
      const options = rest.split(/ -- |&&/)[0]!.match(/(?<=^| )--[a-z-]+/g) ?? []
      return { whole: whole.trim(), path, options }
    },
  )

const pages = ['cookbook', 'troubleshooting', 'cli', 'guides', 'config', 'security', 'xiaozhi', 'xiaozhi.zh', 'console']

describe.each([...pages.map((name) => `${name}.md`), '../README.md', '../README.zh.md'])('docs/%s', (page) => {
  it('names only commands and options that there are', () => {
    const global = new Set(['--no-color', ...(known.get('') ?? [])])
    const wrong = commandsIn(read(page)).filter(
      ({ path, options }) =>
        path === undefined || options.some((flag) => !known.get(path)!.has(flag) && !global.has(flag)),
    )
    expect(commandsIn(read(page)).length).toBeGreaterThan(0)
    expect(wrong.map(({ whole }) => whole)).toEqual([])
  })
})

describe('docs/troubleshooting.md', () => {
  it('has a first step for every error code', () => {
    const text = read('troubleshooting.md')
    expect(errorCodes.filter((code) => !text.includes(`\`${code}\``))).toEqual([])
  })
})
