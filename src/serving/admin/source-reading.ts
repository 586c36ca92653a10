import type { ClientProgram } from '../../clients/client.js'
import { readPasted } from '../../clients/read-pasted.js'
import { withReferences } from '../../config/secret-reference.js'
import { shapeConfig } from '../../config/shapes.js'
import { sourceFields } from '../../config/source-fields.js'
import type { ReadingDesk, ReadSource } from '../../faces/admin/source-reading.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { FileInForce } from '../file-in-force.js'
import type { PlannedSource } from '../importing/import-plan.js'
import { scanImport } from '../importing/import-scan.js'

/** Whoever pastes is one more client, without a file: what it has is planned like an import, and nothing is written. */
const paste: ClientProgram = {
  id: 'pasted',
  title: 'Pasted',
  format: 'json',
  section: 'mcpServers',
  variables: 'shell',
  remote: undefined,
  files: () => [],
  afterwards: '',
  afterwardsZh: '',
}

export const createReadingDesk = (
  inForce: FileInForce,
  env: Readonly<Record<string, string | undefined>>,
): ReadingDesk => ({
  read: async (text, keep) => {
    const { form, servers, problems } = await readPasted(text)
    const raw = inForce.raw()
    const existing = isRecord(raw) ? shapeConfig(raw).sources : undefined
    const found = servers.map((server) => ({ ...server, project: undefined }))
    const file = { path: form, scope: 'user' as const }
    const { plan } = await scanImport(
      inForce.target,
      [{ client: paste, file, servers: found, problem: undefined }],
      existing,
    )
    return { form, problems, sources: plan.map((source) => toRead(source, keep, env)) }
  },
  keys: async () => ({ kinds: sourceFields() }),
})

const toRead = (
  { name, outcome, entry, notes, cautions }: PlannedSource,
  keep: boolean,
  env: Readonly<Record<string, string | undefined>>,
): ReadSource => {
  const referred = withReferences(name, entry)
  const used = [...new Set([...JSON.stringify(referred.entry).matchAll(variable)].map(([, each]) => each!))]
  return {
    name,
    outcome,
    entry: (keep ? entry : referred.entry) as JsonObject,
    notes,
    cautions,
    secrets: referred.secrets,
    variables: used.map((each) => ({ name: each, isSet: (env[each] ?? '') !== '' })),
  }
}

/** What has a value of its own where it is not set is asked of nobody. */
const variable = /(?<!\$)\$\{(?:env:)?([A-Za-z_]\w*)\}/g
