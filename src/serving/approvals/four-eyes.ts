import { GatewayError } from '../../errors.js'
import type { Decider } from '../../faces/admin/decider.js'
import { isRecord } from '../../model/json.js'
import type { DocumentReader, DocumentSet } from '../../storage/store.js'

/** Whether somebody else has to look: who made a source what it is may not be the only one to approve what it says. */
export interface FourEyes {
  /** They wrote this source's entry. Resolves when it is on disk, where anything is kept. */
  noteSource(source: string, by: Decider): Promise<void>
  /** Rejects where the rule is on and whoever decides is the one who registered it. */
  check(source: string, by: Decider): Promise<void>
}

export interface FourEyesOptions {
  readonly documents: DocumentReader | DocumentSet
  /** `approve.fourEyes`, as it is now. */
  readonly isOn: () => boolean
  /** Which configuration this is: two projects may each have a source of one name. */
  readonly config: string
  readonly now: () => number
}

export const createFourEyes = ({ documents, isOn, config, now }: FourEyesOptions): FourEyes => {
  const keyOf = (source: string): string => `${encodeURIComponent(config)}/${encodeURIComponent(source)}`
  return {
    noteSource: async (source, { id, name }) => {
      // Also while the rule is off: it may be switched on later, and then it must know.
      if ('put' in documents) await documents.put(keyOf(source), { by: id, name, at: now() })
    },
    check: async (source, by) => {
      if (!isOn()) return
      const known = await documents.get(keyOf(source))
      if (!isRecord(known) || known.by !== by.id) return
      throw new GatewayError(
        'ACCESS_DENIED',
        `'${source}' was registered by ${by.name}, so somebody else has to approve what it says (approve.fourEyes).`,
        { details: { source } },
      )
    },
  }
}
