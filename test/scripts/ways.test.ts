import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway, createScripts, defineTool } from '../../src/index.js'
import { runCli } from '../helpers/run-cli.js'
import { openScriptBoard, type ScriptBoardFixture } from '../helpers/script-board.js'

describe('scripts over REST', () => {
  let fixture: ScriptBoardFixture
  beforeAll(async () => {
    fixture = await openScriptBoard()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${fixture.url}/api/v1${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    })
    return { status: response.status, location: response.headers.get('location'), body: (await response.json()) as any }
  }

  it('answer with what they return', async () => {
    const { status, body } = await ask('POST', '/scripts', {
      script: 'return (await tools.list({ page: input })).length',
      input: 1,
    })
    expect({ status, body }).toMatchObject({ status: 200, body: { result: 20, calls: { made: 1, failed: 0 } } })
  })

  it('that wait for a person are 202, can be looked at and gone on with', async () => {
    const paused = await ask('POST', '/scripts', { script: 'return tools.delete({ number: 7 })' })
    expect(paused).toMatchObject({ status: 202, body: { paused: true, approvals: [{ id: 'a_7' }] } })
    expect(paused.location).toBe(`/api/v1/scripts/${paused.body.run}`)
    const path = `/scripts/${paused.body.run}`
    expect(await ask('GET', path)).toMatchObject({ status: 200, body: { paused: true, run: paused.body.run } })
    fixture.granted.add(7)
    expect(await ask('POST', `${path}/resume`)).toMatchObject({ status: 200, body: { result: { deleted: 7 } } })
    expect(await ask('GET', path)).toMatchObject({ status: 400, body: { error: { code: 'ARGUMENTS_INVALID' } } })
  })

  it('that fail are told with their code, and elsewhere there are none', async () => {
    expect(await ask('POST', '/scripts', { script: 'return 1 +' })).toMatchObject({
      status: 400,
      body: { error: { code: 'SCRIPT_INVALID' } },
    })
    expect(await ask('POST', '/scripts', { script: 'throw new Error("no")' })).toMatchObject({
      status: 422,
      body: { error: { code: 'SCRIPT_FAILED' } },
    })
    expect(await ask('POST', '/scripts?profile=plain', { script: 'return 1' })).toMatchObject({
      status: 403,
      body: { error: { code: 'ACCESS_DENIED' } },
    })
  })

  it('are found in searches that declare tools as scripts call them', async () => {
    const { body } = await ask('POST', '/scripts', {
      script: `const first = (await tools.search_tools({ query: 'list issues' })).results
        await tools.list({}); await tools.list({})
        const again = (await tools.search_tools({ query: 'list issues' })).results
        const whole = await tools.get_tool_definition({ tool_name: 'list', format: 'typescript' })
        return [first[0], again[0].declaration, whole.declaration]`,
    })
    const [first, again, whole] = body.result
    expect(first.declaration).toContain('tools.list(args: { page?: number /*=1 Which page*/ }): any')
    expect(again).toContain('): /*seen*/ { number: number, title: string, labels: string[]')
    expect(whole).toBe(again)
  })
})

describe('scripts on the command line', () => {
  const home = mkdtempSync(join(tmpdir(), 'pegboard-script-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const run = (...args: readonly string[]) => runCli(['script', 'run', ...args], { cwd: home, home })

  it('run where they are switched on, and say how where they are not', async () => {
    writeFileSync(join(home, 'sum.js'), 'console.log("adding")\nreturn input.reduce((a, b) => a + b)')
    const off = await run('sum.js', '--input', '[1,2]')
    expect(off.code).not.toBe(0)
    expect(off.stderr).toContain('scripts: { enabled: true }')
    const config = { scripts: { enabled: true }, profiles: { default: { scripts: true } } }
    writeFileSync(join(home, 'pegboard.json'), JSON.stringify(config))
    expect(await run('sum.js', '--input', '[1,2]')).toMatchObject({ code: 0, stdout: '3\n' })
    expect((await run('sum.js', '--input', '[1,')).stderr).toContain('--input is no JSON')
    writeFileSync(join(home, 'bad.js'), 'return 1 +')
    expect((await run('bad.js')).stderr).toContain('does not parse at line')
  })

  it('are found in the audit trail by their run, with the calls in them', async () => {
    writeFileSync(join(home, 'find.js'), "return (await tools.search_tools({ query: 'time' })).results.length")
    const told = await run('find.js', '--json')
    expect(told.code).toBe(0)
    const { run: id } = JSON.parse(told.stdout)
    const { stdout } = await runCli(['audit', '--run', id], { cwd: home, home })
    const lines = stdout.trim().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`search_tools .*${id} #1`)),
      expect.stringMatching(new RegExp(`run_script .*${id}$`)),
    ])
  })
})

describe('scripts in a program', () => {
  it('run over the functions of a gateway', async () => {
    await using gateway = createGateway({ tools: [defineTool({ name: 'double', handler: (args: any) => args.n * 2 })] })
    await using scripts = createScripts(gateway, { limits: { maxCalls: 2 } })
    const { result, calls } = await scripts.run('return (await tools.double({ n: input })) + 1', { input: 20 })
    expect({ result, calls }).toEqual({ result: 41, calls: { made: 1, failed: 0 } })
    await expect(scripts.run('for (;;) await tools.double({ n: 1 })')).rejects.toMatchObject({ code: 'SCRIPT_FAILED' })
  })
})
