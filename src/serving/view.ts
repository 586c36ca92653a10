import type { Reviewed } from '../catalog/reviewed.js'
import type { LoadedConfig } from '../config/load.js'
import type { Config, ProfileConfig } from '../config/schema.js'
import type { ApprovalRow } from '../faces/admin/approvals.js'
import type { ProfileReport } from '../faces/admin/profiles.js'
import type { RuleDesk } from '../faces/admin/rules.js'
import type { Gateway } from '../gateway.js'
import type { Tool } from '../model/tool.js'
import type { RunRecord } from './running/record.js'
import type { OfferedWords } from './scanning.js'

export type { Reviewed } from '../catalog/reviewed.js'

/** What single commands see of a board: their own, or a picture of the one that runs. */
export interface BoardView {
  readonly gateway: Pick<Gateway, 'list' | 'find' | 'sources' | 'search' | 'call'> & {
    readonly catalog: {
      held(): readonly Tool[]
      snapshot(): { readonly tools: readonly Tool[] }
      readonly usage: { of(id: string): object }
    }
  }
  readonly config: {
    readonly sources: Config['sources']
    readonly profiles: Readonly<Record<string, ProfileConfig>>
  }
  /** Why sources that are switched on are not mounted, by name. */
  problems(): ReadonlyMap<string, string>
  /** What changed since somebody looked at it. */
  heldBack(): HeldBack
  /** What sources say besides tools and lists of resources: for a lock file. Only where `needs.words` was said. */
  words(): readonly Reviewed[]
  /** All that sources say besides their tools, for the scanner. Only where `needs.words` was said. */
  offered(): readonly OfferedWords[]
  /** What a client of this profile is shown. Only where `needs.profiles` was said. */
  report(name: string): ProfileReport | undefined
  /** The rules over what calls send. */
  readonly rules: RuleDesk
}

export interface HeldBack {
  readonly rows: readonly Pick<ApprovalRow, 'id' | 'source' | 'state' | 'kind' | 'why'>[]
  /** The lock file in force, which then decides. */
  readonly lockFile?: string | undefined
}

export interface BoardNeeds {
  /** The one tool or source that is asked about: no other source is started for it. */
  readonly name?: string | undefined
  /** Whether `list` and `snapshot` are looked at. Default: yes. */
  readonly tools?: boolean | undefined
  readonly profiles?: boolean | undefined
  readonly words?: boolean | undefined
  /** Where it is read already. */
  readonly loaded?: LoadedConfig | undefined
}

export interface OpenedView {
  readonly board: BoardView
  readonly loaded: Pick<LoadedConfig, 'file'>
  /** Where the gateway is that was asked; undefined for a board of its own. */
  readonly running?: RunRecord | undefined
  close(): Promise<void>
}
