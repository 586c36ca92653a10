import type { ServerResponse } from 'node:http'
import { callCsvLine, callsCsvHead } from '../../history/csv.js'
import type { HistoryAnswer, HistoryCall } from './history.js'
import { beginExport, type ExportFormat, writePaced } from './send-export.js'

export type NextPage = (cursor: string | undefined) => Promise<HistoryAnswer>

/** In one file; whoever wants more asks for a shorter time. */
const mostExported = 1_000_000

/** Page by page, and no faster than it is read. Tells how many there were. */
export const sendCalls = async (page: NextPage, format: ExportFormat, response: ServerResponse): Promise<number> => {
  const first = await page(undefined)
  const { covers } = first
  beginExport(response, { name: 'pegboard-calls', format, covers })
  if (format === 'csv') response.write(`${callsCsvHead}\r\n`)
  let count = 0
  for (let { calls, next } = first; !response.destroyed; ) {
    const taken = calls.slice(0, mostExported - count)
    count += taken.length
    await writePaced(response, taken.map(written[format]).join(''))
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
