import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { floors } from '../../scripts/coverage-floors.mjs'
import { addProcesses, type Statement } from '../../scripts/process-coverage.mjs'
import { builtCli } from '../helpers/built-cli.js'
import { root } from '../helpers/snippets.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-coverage-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: readonly string[]): void => {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, NODE_V8_COVERAGE: join(folder, 'processes') }
  spawnSync(process.execPath, [builtCli(), ...args], { cwd: folder, env })
}

/** The statement that begins with these words. */
const statement = (file: string, words: string): Statement => {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  const line = lines.findIndex((each) => each.includes(words))
  return { line: line + 1, column: lines[line]!.indexOf(words), ran: false }
}

describe('the floors', () => {
  it('are of rooms that are there', () => {
    expect(Object.keys(floors).filter((place) => !existsSync(join(root, place)))).toEqual([])
  })
})

describe('the coverage of processes', () => {
  it('is led back to the lines that were written, of every process that ran', () => {
    const started = statement('src/cli/main.ts', 'tolerateLeavingReaders()')
    const completion = statement('src/cli/terminal/completion.ts', 'return `# pegboard completion for fish')
    const doctor = statement('src/cli/commands/doctor.ts', 'yield [await checkPort')
    const files = new Map([
      ['src/cli/main.ts', [started]],
      ['src/cli/terminal/completion.ts', [completion]],
      ['src/cli/commands/doctor.ts', [doctor]],
    ])
    run('--version')
    addProcesses(files, join(folder, 'processes'))
    expect([started.ran, completion.ran, doctor.ran]).toEqual([true, false, false])
    run('completion', 'fish')
    // One that was killed while it wrote.
    writeFileSync(join(folder, 'processes', 'coverage-1.json'), '{"result":[')
    addProcesses(files, join(folder, 'processes'))
    expect([started.ran, completion.ran, doctor.ran]).toEqual([true, true, false])
  })
})
