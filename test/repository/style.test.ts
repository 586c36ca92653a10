import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rooms } from './rooms.js'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const isFolder = (room: string) => statSync(join(root, 'src', room)).isDirectory()

describe('STYLE.md', () => {
  const rows = [...read('STYLE.md').matchAll(/^\| `([\w.]+)` \| (.+?\?) \|/gm)].map(([, room, question]) => ({
    room: room!,
    question: question!,
  }))

  it('has a question for every room, and no room that is not there', () => {
    const named = rows.map(({ room }) => room).filter((room) => !room.endsWith('.ts'))
    expect(named.toSorted()).toEqual(Object.keys(rooms).filter(isFolder).toSorted())
  })

  it('asks no question twice', () => {
    expect(new Set(rows.map(({ question }) => question)).size).toBe(rows.length)
  })
})
