import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { interfaceOnly, rooms, strangers } from './rooms.js'

const src = fileURLToPath(new URL('../../src', import.meta.url))

interface Arrow {
  readonly from: string
  readonly to: string
  /** Gone after compiling, so it cannot make a cycle that runs. */
  readonly typeOnly: boolean
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

// Static imports and re-exports, with `type` noted, and dynamic imports.
const importPattern = /^(?:import|export)(\s+type)?\b[^'();]*?from\s*'(\.[^']+)'|\bimport\s*\(?\s*'(\.[^']+)'/gm

const arrows: Arrow[] = files.flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(importPattern)].map(([, typeOnly, from, bare]) => ({
    from: file,
    to: relative(src, join(src, dirname(file), from ?? bare!))
      .split(sep)
      .join('/')
      .replace(/\.js$/, '.ts'),
    typeOnly: typeOnly !== undefined,
  })),
)

const roomOf = (file: string): string => file.split('/')[0]!
const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/')

describe('rooms', () => {
  it('are those of the table and no others', () => {
    expect(files.map(roomOf).filter((room) => !(room in rooms))).toEqual([])
  })

  it('import only what their row allows', () => {
    const wrong = arrows.filter(
      ({ from, to }) => roomOf(from) !== roomOf(to) && !rooms[roomOf(from)]?.includes(roomOf(to)),
    )
    expect(wrong).toEqual([])
  })

  it('reach other rooms through their interface where that is all they may know', () => {
    const wrong = arrows.filter(({ from, to }) => {
      const only = interfaceOnly[roomOf(from)]?.[roomOf(to)]
      return roomOf(from) !== roomOf(to) && only && !only.includes(to)
    })
    expect(wrong).toEqual([])
  })

  it('keep neighbours strangers: no source imports another, no face another', () => {
    const wrong = arrows.filter(({ from, to }) => {
      const room = roomOf(from)
      if (room !== roomOf(to) || !(strangers as readonly string[]).includes(room)) return false
      const isShared = (file: string) => file.split('/').length === 2
      return !isShared(from) && !isShared(to) && folderOf(from) !== folderOf(to)
    })
    expect(wrong.filter(({ from, to }) => !allowedNeighbours.has(`${folderOf(from)} → ${folderOf(to)}`))).toEqual([])
  })

  it('have no import cycle', () => {
    const imports = new Map<string, string[]>()
    for (const { from, to } of arrows.filter((arrow) => !arrow.typeOnly))
      imports.set(from, [...(imports.get(from) ?? []), to])
    const done = new Set<string>()
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) throw new Error(`Import cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
      if (done.has(file)) return
      for (const next of imports.get(file) ?? []) walk(next, [...path, file])
      done.add(file)
    }
    expect(() => {
      for (const file of files) walk(file, [])
    }).not.toThrow()
  })

  it('point only at files that are there', () => {
    expect(arrows.filter(({ to }) => !files.includes(to))).toEqual([])
  })

  it('keep files small enough to hold one idea', () => {
    const long = files
      .filter((file) => !file.includes('/data/'))
      .filter((file) => readFileSync(join(src, file), 'utf8').split('\n').length > 300)
    expect(long).toEqual([])
  })
})

/** Neighbours that are one thing in two folders: the example tools are functions. */
const allowedNeighbours = new Set(['sources/examples → sources/functions'])
