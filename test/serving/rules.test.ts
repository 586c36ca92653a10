import { afterEach, describe, expect, it } from 'vitest'
import { compileRules } from '../../src/policy/rules.js'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { openAdminServer } from '../helpers/open-admin.js'
import { serveFixture } from '../helpers/serve-fixture.js'
import { serveRest } from '../helpers/serve-rest.js'
import { openRunning } from './open-running.js'

const rule = {
  id: 'short',
  tools: ['calculator'],
  unless: { properties: { expression: { maxLength: 3 } }, required: ['expression'] },
  effect: 'deny' as const,
  reason: 'Too long',
}
const clean: (() => unknown)[] = []
afterEach(async () => {
  for (const task of clean.splice(0).reverse()) await task()
})

describe('rules of a running gateway', () => {
  it('stay as they were where the new ones cannot be used, and it is told', { timeout: 30_000 }, async () => {
    const running = await openRunning({ rules: [rule] })
    clean.push(() => running[Symbol.asyncDispose]())
    const ask = async (expression: string) => {
      const { status, text } = await running.post('/api/v1/tools/calculator/call', { expression })
      return [status, JSON.parse(text).error?.details?.rule]
    }
    expect(await ask('100+1')).toEqual([403, 'short'])
    expect(await ask('1+1')).toEqual([200, undefined])
    running.edit({ rules: [{ ...rule, unless: { maxLenght: 9 } }] })
    await expect.poll(() => running.log(), { timeout: 15_000 }).toMatch(/maxLenght.*did you mean maxLength/s)
    expect(await ask('100+1')).toEqual([403, 'short'])
    running.edit({ rules: [{ ...rule, id: 'longer', unless: { properties: { expression: { maxLength: 5 } } } }] })
    await expect.poll(() => ask('100+1'), { timeout: 15_000 }).toEqual([200, undefined])
    expect(await ask('1000+1')).toEqual([403, 'longer'])
    running.edit({})
    await expect.poll(() => ask('1000+1'), { timeout: 15_000 }).toEqual([200, undefined])
  })

  it('are shown and explained over the admin API', async () => {
    const server = await openAdminServer(
      JSON.stringify({ rules: [rule, { ...rule, id: 'typo', tools: ['calculater'] }] }),
    )
    clean.push(() => server[Symbol.asyncDispose]())
    const key = await server.key('viewer')
    const { rules } = (await server.ask('GET', '/rules', { key })).body
    expect(rules).toMatchObject([
      { id: 'short', effect: 'deny', matching: 1, hides: false, unless: rule.unless, reason: 'Too long', notes: [] },
      { id: 'typo', matching: 0, notes: [{ code: 'no-tool', about: 'calculater' }] },
    ])
    const explain = (body: object) => server.ask('POST', '/rules/explain', { key, body })
    expect(await explain({ tool: 'calculator', args: { expression: '100+1' } })).toMatchObject({
      status: 200,
      body: {
        verdict: 'deny',
        by: ['short'],
        rules: [
          { id: 'short', matches: true, problems: [{ path: '/expression' }] },
          { id: 'typo', because: 'tools' },
        ],
      },
    })
    expect((await explain({ tool: 'nobody' })).body.code ?? (await explain({ tool: 'nobody' })).body.error?.code).toBe(
      'TOOL_NOT_FOUND',
    )
    expect((await explain({})).status).toBe(400)
  })

  describe.each(['legacy', 'modern'] as const)('over MCP, %s', (era) => {
    it('deny what is sent, and never say what would pass', async () => {
      const served = await serveFixture()
      clean.push(() => served.close())
      served.gateway.policy.update({
        calls: compileRules({ board: [{ ...rule, tools: ['*'], unless: { maxBytes: 2 } }] }),
      })
      const client = await rawOverHttp(era, served.url)
      clean.push(() => client.close())
      const name = (await client.list()).find((each) => each === 'add')
      const told = await client.call(name!, { a: 1, b: 2 }).then(
        ({ text }) => text,
        (error: unknown) => JSON.stringify(error),
      )
      expect(told).toContain("the rule 'short' forbids it: Too long.")
      expect(told).not.toContain('maxBytes')
    })
  })

  it('deny over REST, one call or several at once', async () => {
    const served = await serveRest()
    clean.push(() => served.close())
    const deny = { ...rule, tools: ['add'], unless: { properties: { a: { maximum: 5 } }, required: ['a'] } }
    served.gateway.policy.update({ calls: compileRules({ board: [deny] }) })
    const one = await served.ask('POST', '/api/v1/tools/add/call', { a: 6, b: 1 })
    expect([one.status, one.json.error]).toMatchObject([
      403,
      { code: 'ACCESS_DENIED', details: { rule: 'short', reason: 'Too long' } },
    ])
    expect((await served.ask('POST', '/api/v1/tools/add/call', { a: 5, b: 1 })).status).toBe(200)
  })
})
