import { dirname } from 'node:path'
import type { FoundServers } from '../../clients/find.js'
import { type DiffLine, lineDiff } from '../../clients/line-diff.js'
import { readLayers } from '../../config/layers.js'
import { normaliseConfig } from '../../config/normalise.js'
import { formatPath } from '../../config/problems.js'
import { messageOf } from '../../errors.js'
import { type WrittenSources, writtenSources } from '../config-file.js'
import { isOurEntry } from '../our-launch.js'
import { type PlannedSource, planImport, type Written } from './import-plan.js'
import { shownSources } from './shown-sources.js'

/** What an import of these files would do to a configuration file, before anything is done. */
export interface ImportScan {
  readonly plan: readonly PlannedSource[]
  /** Those that would be new. */
  readonly fresh: readonly PlannedSource[]
  /** How the sources of the file would change, secrets masked. */
  diff(enable: boolean): readonly DiffLine[]
}

/** `existing` are the sources that are there. Default: those that are written in the file. */
export const scanImport = async (
  file: string,
  files: readonly FoundServers[],
  existing?: WrittenSources,
): Promise<ImportScan> => planned(file, files, existing ?? (await writtenSources(file)))

const planned = (file: string, files: readonly FoundServers[], existing: WrittenSources): ImportScan => {
  const plan = planImport(files, { existing, problemOf: problemIn(file), isOurs: isOurEntry })
  const fresh = plan.filter(({ outcome }) => outcome === 'add' || outcome === 'rename')
  const text = (sources: Iterable<readonly [string, Written]>): string =>
    JSON.stringify({ sources: shownSources(sources) }, null, 2)
  return {
    plan,
    fresh,
    diff: (enable) => {
      const added = fresh.map((source) => [source.name, toWritten(source, enable)] as const)
      return lineDiff(text(existing), text([...existing, ...added]))
    },
  }
}

/** Switched off until somebody has looked at it (T15); what its client switched off stays off in any case. */
export const toWritten = ({ entry, off }: PlannedSource, enable: boolean): Written =>
  enable && !off ? entry : { ...entry, enabled: false }

/** Each entry is checked alone, so that one that cannot be used does not keep the others out. */
const problemIn =
  (file: string) =>
  (name: string, entry: Written): string | undefined => {
    try {
      normaliseConfig(
        { sources: { [name]: { ...entry, enabled: false } } },
        {
          env: process.env,
          layers: readLayers({}, {}),
          folder: dirname(file),
          dataFolder: dirname(file),
          strict: true,
          subject: name,
          where: formatPath,
        },
      )
      return undefined
    } catch (error) {
      return messageOf(error).replace(/\s+/g, ' ')
    }
  }
