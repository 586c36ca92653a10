import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const server = fileURLToPath(new URL('../helpers/servers/stdio-modern.mjs', import.meta.url))
const shell = 'echo "$2" >> "$1"; exec "$0" "$3"'

/** A source over stdio that writes its name into a file whenever it is started. */
export const countedSource = (name: string, starts: string, program = server) => ({
  command: '/bin/sh',
  args: ['-c', shell, process.execPath, starts, name, program],
})

/** The names of all that were started, in order of the alphabet. */
export const startsIn = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).sort() : []
