import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { callCsvLine, callsCsvHead } from '../../history/csv.js'
import { defined } from '../../model/json.js'
import type { HistoryAnswer, HistoryCall } from './history.js'

export type ExportFormat = 'jsonl' | 'csv'
export type NextPage = (cursor: string | undefined) => Promise<HistoryAnswer>

/** In one file; whoever wants more asks for a shorter time. */
const mostExported = 1_000_000

/** Page by page, and no faster than it is read. Tells how many there were. */
export const sendCalls = async (page: NextPage, format: ExportFormat, response: ServerResponse): Promise<number> => {
  const first = await page(undefined)
  const { covers } = first
  response.writeHead(
    200,
    defined({
      'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': `attachment; filename="pegboard-calls.${format}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Pegboard-Replicas': covers?.replicas.join(','),
      'X-Pegboard-Away': covers && covers.away.length > 0 ? covers.away.join(',') : undefined,
    }),
  )
  if (format === 'csv') response.write(`${callsCsvHead}\r\n`)
  let count = 0
  for (let { calls, next } = first; !response.destroyed; ) {
    const taken = calls.slice(0, mostExported - count)
    count += taken.length
    if (!response.write(taken.map(written[format]).join('')) && !response.destroyed)
      await Promise.race([once(response, 'drain'), once(response, 'close')])
    if (next === undefined || count >= mostExported) break
    ;({ calls, next } = await page(next))
  }
  response.end()
  return count
}

const written: Readonly<Record<ExportFormat, (call: HistoryCall) => string>> = {
  jsonl: (call) => `${JSON.stringify(call)}\n`,
  csv: (call) => `${callCsvLine(call as Parameters<typeof callCsvLine>[0])}\r\n`,
}
