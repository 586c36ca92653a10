import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const src = join(root, 'src')

/** Names that are kept twice on purpose; ARCHITECTURE says why below its glossary. */
const kept = ['Tool', 'Logger', 'ErrorCode', 'Gateway', 'GatewayOptions']

/** Every exported type, class and interface with the files that declare it. */
const declared = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  for (const file of files)
    for (const [, name] of readFileSync(join(src, file), 'utf8').matchAll(
      /^export (?:declare )?(?:abstract )?(?:type|class|interface|enum) (\w+)/gm,
    ))
      found.set(name!, (found.get(name!) ?? new Set()).add(file))
  return found
}

describe('an exported type', () => {
  const twice = [...declared()].filter(([, files]) => files.size > 1)

  it('has a name that no other one has', () => {
    const known = new Set(kept)
    const wrong = twice.filter(([name]) => !known.has(name)).map(([name, files]) => `${name}: ${[...files].join(', ')}`)
    expect(wrong).toEqual([])
  })

  it('shares one only where ARCHITECTURE says why', () => {
    const [words] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('\n## The path')
    expect(kept.filter((name) => !words!.includes(`\`${name}\``))).toEqual([])
    expect(kept.filter((name) => !twice.some(([other]) => other === name))).toEqual([])
  })
})
