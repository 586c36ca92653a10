import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'
import { type ServedCli, serveCli } from './serve-cli.js'

const ledger = fileURLToPath(new URL('../helpers/servers/ledger.mjs', import.meta.url))

describe('a script under a rule that asks, typed', () => {
  let home: string
  let board: ServedCli
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-approved-'))
    const config = {
      storage: { path: './data' },
      sources: { bank: { type: 'stdio', command: process.execPath, args: [ledger, join(home, 'ledger')] } },
      scripts: { enabled: true },
      profiles: { default: { scripts: true } },
      rules: [{ id: 'money', tools: ['bank.pay'], effect: 'ask' }],
    }
    writeFileSync(join(home, 'pegboard.json'), JSON.stringify(config))
    const script = `const looked = await tools.bank.look({ n: 0 })
      return [looked, ...await Promise.all(input.map(n => tools.bank.pay({ n })))]`
    writeFileSync(join(home, 'pay.js'), script)
    board = await serveCli(home)
  })
  afterAll(async () => {
    await board?.stop()
    rmSync(home, { recursive: true, force: true })
  })
  const run = (...args: readonly string[]) => runCli(args, { cwd: home, home })
  const done = () => readFileSync(join(home, 'ledger'), 'utf8').trim().split('\n')

  it('pauses, is approved as a whole, and goes on by --resume', async () => {
    const paused = JSON.parse((await run('script', 'run', 'pay.js', '--input', '[1,2,3]')).stdout)
    expect(paused).toMatchObject({ paused: true, approvals: Array(3).fill({ tool: 'bank.pay' }) })
    const list = await run('approvals', 'calls', '--port', board.port)
    expect(list.stdout).toContain(`${paused.run}: 3 calls of one script; pegboard approve ${paused.run}`)
    expect(list.stdout.match(new RegExp(paused.run, 'g'))).toHaveLength(5)

    const yes = await run('approve', paused.run, '--port', board.port)
    expect(yes).toMatchObject({ code: 0, stderr: '' })
    expect(yes.stdout).toContain(`3 calls of the script ${paused.run} approved, 0 not.`)
    const told = await run('script', 'run', '--resume', paused.run)
    expect(told.code).toBe(0)
    expect(JSON.parse(told.stdout)).toEqual([{ look: 0 }, { pay: 1 }, { pay: 2 }, { pay: 3 }])
    expect(done().sort()).toEqual(['look 0', 'pay 1', 'pay 2', 'pay 3'])
    expect((await run('script', 'run', '--resume', paused.run)).stderr).toContain('Run the script anew')
    expect(await run('approve', paused.run, '--port', board.port)).toMatchObject({ code: 2 })
  })

  it('is denied as a whole, with the reason in its error', async () => {
    const { run: id } = JSON.parse((await run('script', 'run', 'pay.js', '--input', '[4,5]')).stdout)
    const no = await run('deny', id, '--note', 'not on a Friday', '--port', board.port)
    expect(no).toMatchObject({ code: 0, stdout: expect.stringContaining(`2 calls of the script ${id} denied, 0 not.`) })
    const told = await run('script', 'run', '--resume', id)
    expect(told.code).not.toBe(0)
    expect(told.stderr).toContain('not on a Friday')
    expect(done().filter((line) => /pay [45]/.test(line))).toEqual([])
  })
})
