import { afterAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { localCaller } from '../../src/model/caller.js'
import { systemClock } from '../../src/model/clock.js'
import { createScripts } from '../../src/sandbox/scripts.js'
import { createRunScriptSource } from '../../src/sources/run-script/run-script.js'
import { createTracing } from '../../src/telemetry/tracing.js'
import { startOtel } from '../helpers/real-otel.js'

const otel = startOtel()
afterAll(otel.stop)

describe('the spans of a script', () => {
  it('carry its run, those of its calls their number, and are parent and children', async () => {
    await using gateway = createGateway({
      clock: systemClock,
      ...createTracing(otel.api, { clock: systemClock }),
      rules: { profiles: { default: { switches: ['scripts'] } } },
    })
    gateway.register({ definition: { name: 'one', inputSchema: { type: 'object' } }, handler: () => 1 })
    const board = { call: gateway.call, find: gateway.find }
    const scripts = createScripts(board, { clock: systemClock, termsOf: () => ({}) })
    await gateway.addSource('run-script', createRunScriptSource(scripts), { namespace: '' })
    const script = 'await tools.one({}); await tools.one({})'
    const outcome = await gateway.call({ tool: 'run_script', args: { script }, caller: localCaller })
    const run = outcome.meta.run
    expect(run).toMatch(/^r_/)
    const spans = otel.spans().map((span) => ({
      tool: span.attributes['gen_ai.tool.name'],
      run: span.attributes['pegboard.run'],
      step: span.attributes['pegboard.run.step'],
      under: span.parentSpanContext?.spanId,
      own: span.spanContext().spanId,
    }))
    const outer = spans.find(({ tool }) => tool === 'run_script')!
    expect(outer).toMatchObject({ run, under: undefined })
    expect(spans.filter(({ tool }) => tool === 'one').map(({ own: _, ...each }) => each)).toEqual([
      { tool: 'one', run, step: 1, under: outer.own },
      { tool: 'one', run, step: 2, under: outer.own },
    ])
    const points = await otel.points()
    const told = points['mcp.server.operation.duration']!.flatMap(({ attributes }) => Object.keys(attributes))
    expect(told).not.toContain('pegboard.run')
  })
})
