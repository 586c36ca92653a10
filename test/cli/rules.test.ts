import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, toConfig } from '../helpers/gateway-process.js'
import { cliPath, runCli } from '../helpers/run-cli.js'

// Compiled before any test counts its time.
beforeAll(() => void cliPath(), 120_000)

const rules = [
  {
    id: 'no-division',
    tools: ['calculator'],
    when: { properties: { expression: { pattern: '/' } }, required: ['expression'] },
    unless: { properties: { expression: { maxLength: 3 } }, required: ['expression'] },
    effect: 'deny',
    reason: 'Only short divisions',
  },
]
const wrong = [
  {
    id: 'typo',
    tools: ['calculater', 'calculator'],
    when: { properties: { expresion: { const: 1 } } },
    effect: 'deny',
  },
  { id: 'open', tools: ['calculator'], unless: { properties: { expression: { maxLength: 3 } } }, effect: 'ask' },
]

describe('pegboard rules', () => {
  let home: string
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-rules-'))
    writeFileSync(join(home, 'board.json'), toConfig({ rules, profiles: { home: { rules: wrong.slice(1) } } }))
    writeFileSync(join(home, 'wrong.json'), toConfig({ rules: wrong }))
    writeFileSync(join(home, 'broken.json'), toConfig({ rules: [{ ...rules[0], when: { requird: ['a'] } }] }))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const run = (...args: readonly string[]) => runCli(args, { cwd: home, home })
  const explain = (expression: string, ...more: readonly string[]) =>
    run('rules', 'explain', 'calculator', '--args', JSON.stringify({ expression }), '--config', 'board.json', ...more)

  it('explains which rule matches a call and why, from the file alone', async () => {
    const denied = await explain('10/2')
    expect(denied.stdout).toContain('calculator (')
    expect(denied.stdout).toMatch(/: denied – no-division\nOnly short divisions\n {2}✓ no-division: matches/)
    expect((await explain('6*7')).stdout).toMatch(
      /no rule stands against it\n {2}· no-division: its `when` does not match \(\/expression/,
    )
    expect((await explain('6/2')).stdout).toContain('its `unless` matches: an exception')
    const json = JSON.parse((await explain('10/2', '--profile', 'home', '--json')).stdout)
    expect(json).toMatchObject({
      verdict: 'deny',
      by: ['no-division'],
      rules: [{ matches: true }, { id: 'open', profile: 'home', matches: true }],
    })
    expect((await explain('6*7*8', '--profile', 'home')).stdout).toContain('somebody has to approve it – open')
    expect(
      (await run('rules', 'explain', 'calculator', '--args', '{"expression":5}', '--config', 'board.json')).stdout,
    ).toContain('refused before any rule')
    const missing = await run('rules', 'explain', 'nobody', '--config', 'board.json')
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Tool not found: nobody')])
  })

  it.each(['board', 'running'])('takes arguments as a call does (%s)', async (where) => {
    const gateway = where === 'running' ? await startGateway({ rules }) : undefined
    try {
      const place = gateway
        ? ['--config', gateway.file, '--data-path', join(gateway.folder, 'data')]
        : ['--config', 'board.json']
      const typed = (...words: readonly string[]) => run('rules', 'explain', 'calculator', ...words, ...place)
      expect((await typed('expression=10/2')).stdout).toContain('denied – no-division')
      // Text where the tool takes text.
      expect((await typed('expression=5')).stdout).not.toContain('refused before any rule')
      expect((await typed('--args', '{"expression":"6*7"}', 'expression=10/2')).stdout).toContain('denied')
      const wrong = await typed('10/2')
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("'10/2' is not key=value")])
      const missing = await run('rules', 'explain', 'nobody', 'a=1', ...place)
      expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Tool not found: nobody')])
    } finally {
      await gateway?.dispose()
    }
  })

  it('tells what can never match, and ends with 1', async () => {
    const { code, stdout } = await run('rules', 'check', '--config', 'wrong.json')
    expect(code).toBe(1)
    expect(stdout).toContain("typo: no tool has a name like 'calculater'")
    expect(stdout).toContain("typo: its 'when' names 'expresion', which none of its tools takes")
    expect(stdout).toContain("open: its 'unless' names 'expression' without requiring it")
    const good = await run('rules', 'check', '--config', 'broken.json')
    expect([good.code, good.stderr]).toEqual([
      6,
      expect.stringMatching(/rules\[0\]\.when.*requird.*did you mean required/s),
    ])
  })

  it('is told by check as well, without any tool', async () => {
    const { code, stderr } = await run('check', '--config', 'wrong.json')
    expect(code).toBe(0)
    expect(stderr).toMatch(/rules\[1\]\.unless .*leaves 'expression' out/)
    expect((await run('check', '--config', 'broken.json')).code).toBe(6)
  })

  it('asks the gateway that runs, and hears of a call what it would say', async () => {
    const gateway = await startGateway({ rules })
    try {
      const at = (...args: readonly string[]) =>
        run(...args, '--config', gateway.file, '--data-path', join(gateway.folder, 'data'))
      const { stdout } = await at('rules', 'explain', 'calculator', '--args', '{"expression":"10/2"}', '--json')
      expect(JSON.parse(stdout)).toMatchObject({ verdict: 'deny', by: ['no-division'], reason: 'Only short divisions' })
      const called = await at('call', 'calculator', 'expression=10/2')
      expect(called.stderr).toContain("the rule 'no-division' forbids it: Only short divisions.")
      expect((await at('rules', 'check')).code).toBe(0)
    } finally {
      await gateway.dispose()
    }
  })
})
