import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'
import { mistakes, writeMistakenFiles } from './mistakes.js'

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-mistakes-'))
  writeMistakenFiles(home)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe.concurrent('a mistake on the command line', () => {
  it.each(mistakes)('pegboard %s ends with %i and names the next step', async (args, code, next) => {
    const run = await runCli(args.split(' '), { cwd: home, home })
    expect({ code: run.code, said: `${run.stderr}${run.stdout}` }).toEqual({ code, said: expect.stringMatching(next) })
    expect(run.stderr).not.toMatch(/\n\s+at .*\(/)
  })

  it.each(['lisst', 'list --soruces', 'call no.such', 'stats --port 9', 'check -c broken.json'])(
    'pegboard %s --json is one line of JSON on standard error, and nothing on standard output',
    async (args) => {
      const { stderr, stdout } = await runCli([...args.split(' '), '--json'], { cwd: home, home })
      expect(stdout).toBe('')
      expect(JSON.parse(stderr).error.message).toEqual(expect.any(String))
      expect(stderr.trim().split('\n')).toHaveLength(1)
    },
  )
})
