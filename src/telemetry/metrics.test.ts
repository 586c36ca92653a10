import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMetrics } from './metrics.js'

describe('metrics', () => {
  it('print counters, gauges and histograms in Prometheus’ words', () => {
    const metrics = createMetrics()
    const calls = metrics.counter('calls_total', 'Calls.', ['source'])
    calls.add({ source: 'a' })
    calls.add({ source: 'a' }, 2)
    metrics.gauge('tools', 'Tools.', []).set({}, 5)
    const time = metrics.histogram('time_seconds', 'Time.', ['source'], { buckets: [0.1, 1] })
    for (const value of [0.05, 0.1, 0.5, 7]) time.observe({ source: 'a' }, value)
    expect(metrics.text()).toBe(
      [
        '# HELP calls_total Calls.',
        '# TYPE calls_total counter',
        'calls_total{source="a"} 3',
        '# HELP tools Tools.',
        '# TYPE tools gauge',
        'tools 5',
        '# HELP time_seconds Time.',
        '# TYPE time_seconds histogram',
        'time_seconds_bucket{source="a",le="0.1"} 2',
        'time_seconds_bucket{source="a",le="1"} 3',
        'time_seconds_bucket{source="a",le="+Inf"} 4',
        'time_seconds_sum{source="a"} 7.65',
        'time_seconds_count{source="a"} 4',
        '',
      ].join('\n'),
    )
  })

  it('keep so many series and count the rest under other', () => {
    const metrics = createMetrics()
    const calls = metrics.counter('calls_total', 'Calls.', ['tool'], { maxSeries: 3 })
    for (let index = 0; index < 100; index++) calls.add({ tool: `t${index}` })
    const lines = metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith('calls_total{'))
    expect(lines).toHaveLength(4)
    expect(lines.at(-1)).toBe('calls_total{tool="other"} 97')
  })

  it('stay one line per series whatever a label says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tool) => {
        const metrics = createMetrics()
        metrics.counter('calls_total', 'Calls.', ['tool']).add({ tool })
        const [, , line = '', end, ...more] = metrics.text().split('\n')
        expect(line).toMatch(/^calls_total\{tool="(?:[^"\\]|\\["\\n])*"\} 1$/)
        expect([end, more]).toEqual(['', []])
      }),
    )
  })

  it('ask before each page for what is read', () => {
    const metrics = createMetrics()
    const gauge = metrics.gauge('now', 'Now.', [])
    let now = 1
    metrics.onScrape(() => gauge.set({}, now++))
    metrics.text()
    expect(metrics.text()).toContain('now 2')
  })
})
