import { describe, expect, it } from 'vitest'
import { SummedMetrics } from './sum-metrics.js'

const page = (calls: number, running: number, up: number): string =>
  [
    '# HELP pegboard_calls_total Calls.',
    '# TYPE pegboard_calls_total counter',
    `pegboard_calls_total{tool="a"} ${calls}`,
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${running}`,
    '# TYPE pegboard_source_up gauge',
    `pegboard_source_up{source="x"} ${up}`,
    '',
  ].join('\n')

describe('the metrics of several processes', () => {
  it('are added up; what all of them see is as the first one sees it', () => {
    const text = new SummedMetrics().sum(
      new Map([
        [1, page(2, 10, 1)],
        [2, page(3, 20, 0)],
      ]),
    )
    expect(text).toContain('pegboard_calls_total{tool="a"} 5')
    expect(text).toContain('process_resident_memory_bytes 30')
    expect(text).toContain('pegboard_source_up{source="x"} 1')
    expect(text.match(/# TYPE pegboard_calls_total/g)).toHaveLength(1)
  })

  it('never shrink when a process ends or cannot be asked', () => {
    const metrics = new SummedMetrics()
    metrics.sum(
      new Map([
        [1, page(2, 10, 1)],
        [2, page(3, 20, 1)],
      ]),
    )
    expect(
      metrics.sum(
        new Map([
          [1, page(4, 10, 1)],
          [2, undefined],
        ]),
      ),
    ).toContain('pegboard_calls_total{tool="a"} 7')
    metrics.ended(2)
    const text = metrics.sum(new Map([[1, page(4, 10, 1)]]))
    expect(text).toContain('pegboard_calls_total{tool="a"} 7')
    expect(text).toContain('process_resident_memory_bytes 10')
  })
})
