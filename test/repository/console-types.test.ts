import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../console/src', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))

/** The names that a file takes from the sources of the admin API. */
const importedTypes = (text: string): readonly string[] =>
  [...text.matchAll(/import type \{([^}]*)\} from '(?:\.\.\/)+src\/faces\/admin\/[^']+'/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  )

describe('the console', () => {
  it('takes the types of its answers from the operations that give them', () => {
    const asked = files
      .filter(({ file }) => file !== join('api', 'client.ts') && file !== join('api', 'use-load.ts'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/\b(?:get|post|put|del|useLoad)<([^(]*)>\(/g)].map(([, type = '']) => ({ file, type, text })),
      )
    expect(asked.length).toBeGreaterThan(20)
    const ownTypes = asked.filter(({ type, text }) => !importedTypes(text).includes(type))
    expect(ownTypes.map(({ file, type }) => `${file}: ${type}`)).toEqual([])
  })

  it('takes nothing but types and words from the gateway, so that none of its code is in the page', () => {
    const taken = files.flatMap(({ file, text }) =>
      [...text.matchAll(/^import (?!type )[^'\n]*'(?:\.\.\/)+src\/(?!faces\/\w+-words)[^']+'/gm)].map(
        ([line]) => `${file}: ${line}`,
      ),
    )
    expect(taken).toEqual([])
  })
})
