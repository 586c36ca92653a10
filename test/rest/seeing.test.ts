import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { GatewayError } from '../../src/errors.js'
import { createGateway, type GatewayOptions } from '../../src/gateway.js'
import type { Caller } from '../../src/model/caller.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { createGatewayMetrics, type WaitingFacts } from '../../src/telemetry/gateway-metrics.js'
import { createMetrics } from '../../src/telemetry/metrics.js'
import { restTools, serveRest } from '../helpers/serve-rest.js'
import { settle } from '../helpers/virtual-clock.js'

const asCaller = (caller: Caller) => ({ host: { authenticate: () => ({ caller }) } })
const admin: Caller = { id: 'root', rights: ['discover', 'call', 'look', 'admin'] }

const countedBoard = (options: GatewayOptions = {}, waiting: WaitingFacts = {}) => {
  const metrics = createMetrics()
  const gatewayMetrics = createGatewayMetrics(metrics)
  const gateway = createGateway({
    tools: restTools(),
    search: { onSearch: gatewayMetrics.onSearch },
    ...options,
  })
  gatewayMetrics.follow(gateway, waiting)
  gateway.onCall(gatewayMetrics.onCall)
  return { metrics, gatewayMetrics, gateway }
}

describe('GET /metrics', () => {
  it('counts calls, errors, times, sources, searches and conversions', async () => {
    const { metrics, gatewayMetrics, gateway } = countedBoard()
    const served = await serveRest({ gateway, metrics })
    await served.ask('POST', '/api/v1/tools/say/call')
    await served.ask('POST', '/api/v1/tools/fail/call')
    await served.ask('POST', '/api/v1/tools/refuse/call')
    await served.ask('POST', '/api/v1/tools/nope-canary/call')
    await served.ask('POST', '/api/v1/search', { query: 'hello' })
    gatewayMetrics.recall.proxied(502, 12)
    gatewayMetrics.recall.converted(false)
    const { text, headers } = await served.ask('GET', '/metrics')
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const line of [
      'pegboard_calls_total{source="local",outcome="ok",kind="tool"} 1',
      'pegboard_calls_total{source="local",outcome="tool_error",kind="tool"} 1',
      'pegboard_call_errors_total{source="local",code="TOOL_FAILED",kind="tool"} 1',
      'pegboard_call_errors_total{source="(none)",code="TOOL_NOT_FOUND",kind="tool"} 1',
      'pegboard_tool_duration_seconds_count{tool="say"} 1',
      'pegboard_source_state{source="local",state="ready"} 1',
      'pegboard_calls_in_flight{source="local"} 0',
      'pegboard_recall_proxy_requests_total{status="502"} 1',
      'pegboard_schema_conversions_total{outcome="error"} 1',
    ])
      expect(text).toContain(line)
    expect(text).toMatch(/pegboard_searches_total\{method="\w+",found="true"\} 1/)
    // The words of a caller make no series.
    expect(text).not.toContain('canary')
    await served.close()
  })

  it('tells what is left alone, and that it no longer is (B1)', async () => {
    let well = false
    const flaky = defineTool({
      name: 'flaky',
      handler: () => {
        if (!well) throw new GatewayError('SOURCE_UNAVAILABLE', 'gone')
      },
    })
    const { metrics, gateway } = countedBoard({ tools: [flaky], breaker: { failures: 1, openMs: 1 } })
    const served = await serveRest({ gateway, metrics, ...asCaller(admin) })
    await gateway.call({ tool: 'flaky', caller: admin })
    const open = async () => (await served.ask('GET', '/metrics')).text
    expect(await open()).toContain('pegboard_circuits_open{source="local",scope="tool"} 1')
    expect(await open()).toContain('pegboard_circuits_open{source="local",scope="source"} 0')
    const { json: body } = await served.ask('GET', '/api/v1/sources')
    expect(body.sources[0]).toMatchObject({ state: 'ready', circuits: [{ tool: 'flaky', reason: 'gone' }] })
    well = true
    await expect.poll(async () => (await gateway.call({ tool: 'flaky', caller: admin })).ok).toBe(true)
    expect(await open()).toContain('pegboard_circuits_open{source="local",scope="tool"} 0')
    await served.close()
  })

  it('tells who runs and who waits, and comes down again', async () => {
    const release: (() => void)[] = []
    const held = defineTool({ name: 'held', handler: () => new Promise<void>((resolve) => release.push(resolve)) })
    const limits = { concurrency: 3, concurrencyPerTool: 2, queue: 10 }
    const waiting = { parked: () => 4, unread: () => [{ source: 'child', bytes: 77 }] }
    const { metrics, gateway } = countedBoard(
      { tools: [held, { ...held, definition: { ...held.definition, name: 'other' } }], limits },
      waiting,
    )
    // Two run and one waits of `held`; one of `other` runs, one has its tool's place and waits for the gateway's.
    const calls = ['held', 'held', 'held', 'other', 'other'].map((tool) => gateway.call({ tool, caller: admin }))
    await settle()
    expect(gateway.load().sources).toEqual([{ source: 'local', running: 3, waiting: 2 }])
    for (const line of [
      'pegboard_calls_in_flight{source="local"} 3',
      'pegboard_calls_waiting{source="local"} 2',
      'pegboard_calls_limit{kind="running"} 3',
      'pegboard_calls_limit{kind="running_per_tool"} 2',
      'pegboard_calls_limit{kind="waiting"} 10',
      'pegboard_calls_parked 4',
      'pegboard_stdio_unread_bytes{source="child"} 77',
    ])
      expect(metrics.text()).toContain(line)
    while (release.length > 0) {
      for (const finish of release.splice(0)) finish()
      await settle()
    }
    await Promise.all(calls)
    expect(metrics.text()).toContain('pegboard_calls_in_flight{source="local"} 0')
    expect(metrics.text()).toContain('pegboard_calls_waiting{source="local"} 0')
    expect(gateway.load().sources).toEqual([])
    await gateway.close()
  })

  it('stays a page of bounded size under thousands of tools', async () => {
    const { metrics, gateway } = countedBoard()
    for (let index = 0; index < 3000; index++) {
      gateway.register(defineTool({ name: `t${index}`, handler: () => 1 }))
      gateway.callSync({ tool: `t${index}`, caller: admin })
    }
    expect(metrics.text().length).toBeLessThan(250_000)
    await gateway.close()
  })

  it.each([
    ['who watches over all of it', 200, { rights: ['look'] }],
    ['who watches, by one profile', 200, { rights: ['look'], profile: 'eng', profiles: ['eng'] }],
    ['who uses tools of every profile', 200, { rights: ['discover'] }],
    ['somebody who was granted every profile', 200, { rights: ['discover'], profiles: ['*'] }],
    ['a key that is tied to a profile', 403, { rights: ['discover'], profile: 'default' }],
    ['somebody who was granted some profiles', 403, { rights: ['discover'], profiles: ['default', 'eng'] }],
    ['who may neither find tools nor look', 403, { rights: ['register'] }],
  ] as const)('for %s: %i', async (_who, status, held) => {
    const { metrics, gateway } = countedBoard()
    const served = await serveRest({ gateway, metrics, ...asCaller({ id: 'somebody', ...held }) })
    expect((await served.ask('GET', '/metrics')).status).toBe(status)
    await served.close()
  })
})

describe('ops/', () => {
  const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../ops/${file}`, import.meta.url)), 'utf8')
  const known = () => {
    const { metrics, gateway } = countedBoard()
    void gateway
    return new Set([...metrics.text().matchAll(/^# TYPE (\S+)/gm)].map((found) => found[1]!))
  }
  const usedIn = (text: string) =>
    [...text.matchAll(/\b((?:pegboard|process)_[a-z_]+)/g)].map((found) =>
      found[1]!.replace(/_(?:bucket|sum|count)$/, ''),
    )

  it('004-20: has alerts for the recall’s errors, time and conversions', () => {
    const { groups } = parse(read('prometheus-rules.yml')) as {
      groups: { rules: { alert: string; expr: string; labels: any }[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    const rule = (name: string) => rules.find(({ alert }) => alert === name)!
    expect([rule('PegboardRecallProxyErrors').labels.severity, rule('PegboardRecallProxyErrors').expr.trim()]).toEqual([
      'P1',
      expect.stringMatching(/> 0\.05$/),
    ])
    expect([rule('PegboardRecallProxySlow').labels.severity, rule('PegboardRecallProxySlow').expr]).toEqual([
      'P2',
      expect.stringMatching(/0\.99.*> 3$/),
    ])
    expect([
      rule('PegboardSchemaConversionFailures').labels.severity,
      rule('PegboardSchemaConversionFailures').expr.trim(),
    ]).toEqual(['P2', expect.stringMatching(/> 0\.01$/)])
  })

  it('names only metrics that exist', () => {
    const names = known()
    for (const file of ['prometheus-rules.yml', 'grafana-dashboard.json'])
      expect(usedIn(read(file)).filter((name) => !names.has(name))).toEqual([])
  })
})

describe('GET /api/v1/calls', () => {
  it('tells callers of their own calls and admins of all', async () => {
    const gateway = createGateway({ tools: restTools() })
    const mine = await serveRest({ gateway, ...asCaller({ id: 'me', rights: ['discover', 'call'] }) })
    const root = await serveRest({ gateway, ...asCaller(admin) })
    await mine.ask('POST', '/api/v1/tools/say/call')
    await root.ask('POST', '/api/v1/tools/fail/call')
    expect((await mine.ask('GET', '/api/v1/calls?caller=root')).json.calls).toMatchObject([
      { tool: 'say', caller: 'me', ok: true },
    ])
    expect((await root.ask('GET', '/api/v1/calls')).json.calls.map(({ tool }: any) => tool)).toEqual(['fail', 'say'])
    expect((await root.ask('GET', '/api/v1/calls?ok=false&limit=5')).json.calls).toHaveLength(1)
    await mine.close()
    await root.close()
  })
})
