import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|css|json|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))

/** The page that brings servers in: its operations, what they need of the gateway, the page itself, and their tests. */
const own = [
  'src/faces/admin/imports.ts',
  'src/serving/admin/imports.ts',
  'console/src/pages/import.tsx',
  'test/console/operator-api.test.ts',
  'test/console/operator.test.ts',
]
const knows = /\bimportOperations\b|\bcreateImportDesk\b|\bpages\/import\.js|\/api\/admin\/v1\/import\b|`GET \/import`/

describe('an admin operation with its page in the console', () => {
  it('is made known in at most six files that are there already', () => {
    const files = ['src', 'console/src', 'docs', 'test/console'].flatMap(filesIn)
    const told = files.filter((file) => !own.includes(file) && knows.test(readFileSync(join(root, file), 'utf8')))
    expect(told.sort()).toEqual([
      // The one list of pages.
      'console/src/pages.tsx',
      'docs/console.md',
      // The one list of operations, and where the gateway gives them what they need.
      'src/faces/admin/face.ts',
      'src/serving/admin/admin.ts',
      'test/console/route-matrix.json',
      // Only for what needs the right to spawn.
      'test/console/routes.test.ts',
    ])
  })

  it('has its words in both languages by itself', () => {
    const shared = ['words.ts', 'words-control.ts']
      .map((file) => readFileSync(join(root, 'console/src/i18n', file), 'utf8'))
      .join('\n')
    const page = readFileSync(join(root, 'console/src/pages/import.tsx'), 'utf8')
    const words = [...page.matchAll(/^ {2}(\w+): \[/gm)].map(([, key]) => key!)
    expect(words).toContain('importLead')
    expect(words.filter((key) => new RegExp(`^ {2}${key}: `, 'm').test(shared))).toEqual([])
  })
})
