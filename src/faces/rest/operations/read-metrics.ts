import { GatewayError } from '../../../errors.js'
import { type Operation, operation } from '../../../operations/operation.js'
import { words } from '../../../operations/shape.js'
import type { Metrics } from '../../../telemetry/metrics.js'

/** `GET /metrics`: for Prometheus. */
export const readMetrics = (metrics: Metrics): Operation =>
  operation({
    id: 'metrics',
    method: 'GET',
    path: '/metrics',
    right: 'discover',
    tag: 'metrics',
    summary: words('Counters and histograms for Prometheus', '供 Prometheus 读取的计数与直方图'),
    answers: { 200: { description: words('Prometheus text format', 'Prometheus 文本格式'), type: 'text/plain' } },
    run: ({ caller }) => {
      // The page names tools of all profiles, and hidden tools must stay hidden.
      if (caller.profile !== undefined && !caller.rights.includes('admin'))
        throw new GatewayError(
          'ACCESS_DENIED',
          'A key that is tied to a profile may not read the metrics of all of them.',
        )
      return {
        text: metrics.text(),
        type: 'text/plain; version=0.0.4; charset=utf-8',
        headers: { 'Cache-Control': 'no-store' },
      }
    },
  })
