import { type FoundServers, findClientFiles } from '../../clients/find.js'
import { sourceSection } from '../../config/edit.js'
import { shapeConfig } from '../../config/shapes.js'
import { GatewayError } from '../../errors.js'
import type { ImportDesk, ImportRow } from '../../faces/admin/imports.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { FourEyes } from '../approvals/four-eyes.js'
import type { FileInForce } from '../file-in-force.js'
import type { PlannedSource } from '../importing/import-plan.js'
import { scanImport, toWritten } from '../importing/import-scan.js'
import { placeOf } from '../importing/place.js'
import { shownSources } from '../importing/shown-sources.js'

/** The servers of other programs on this machine, for an operator to bring in. They arrive switched off. */
export const createImportDesk = (inForce: FileInForce, fourEyes: FourEyes): ImportDesk => {
  const scan = async () => {
    const files = await findClientFiles(placeOf(undefined))
    const raw = inForce.raw()
    const existing = isRecord(raw) ? shapeConfig(raw).sources : undefined
    return { files, ...(await scanImport(inForce.target, files, existing)) }
  }
  return {
    look: async () => {
      const { files, plan, diff } = await scan()
      return { file: inForce.target, found: files.map(toFound), sources: plan.map(toRow), diff: diff(false) }
    },
    add: async (names, by) => {
      // Looked at again: what is added is what stands in those files now, under the names that were shown.
      const { fresh } = await scan()
      const wanted = fresh.filter(({ name }) => names.includes(name))
      const missing = names.find((name) => !wanted.some((source) => source.name === name))
      if (missing !== undefined)
        throw new GatewayError(
          'SOURCE_NOT_FOUND',
          `'${missing.slice(0, 64)}' is no longer there to be imported, or is here already; look again.`,
        )
      await inForce.change(async () => {
        const section = await sourceSection(inForce.target)
        return wanted.map((source) => ({ path: [section, source.name], value: toWritten(source, false) }))
      })
      for (const { name } of wanted) await fourEyes.noteSource(name, by)
      return wanted.map(({ name }) => name)
    },
  }
}

const toFound = ({ client, file, servers, problem }: FoundServers) => ({
  client: client.title,
  path: file.path,
  servers: servers.length,
  problem,
})

const toRow = ({ name, theirName, from, outcome, entry, notes, cautions }: PlannedSource): ImportRow => ({
  name,
  theirName,
  from,
  outcome,
  entry: shownSources([[name, entry]])[name] as JsonObject,
  notes,
  cautions,
})
