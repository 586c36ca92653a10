import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { defined } from '../../model/json.js'
import type { Covered } from './whole-fleet.js'

export type ExportFormat = 'jsonl' | 'csv'

/** Begins a file that is taken along: named, of its type, kept by nobody, with who is in it. */
export const beginExport = (
  response: ServerResponse,
  {
    name,
    format,
    covers,
  }: { readonly name: string; readonly format: ExportFormat; readonly covers: Covered | undefined },
): void => {
  response.writeHead(
    200,
    defined({
      'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Pegboard-Replicas': covers?.replicas.join(','),
      'X-Pegboard-Away': covers && covers.away.length > 0 ? covers.away.join(',') : undefined,
    }),
  )
}

/** No faster than it is read. */
export const writePaced = async (response: ServerResponse, text: string): Promise<void> => {
  if (!response.write(text) && !response.destroyed)
    await Promise.race([once(response, 'drain'), once(response, 'close')])
}
