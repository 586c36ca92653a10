import { exactNaming, type Naming } from '../../catalog/names.js'

/** How one profile shows its tools over MCP. Which tools those are is the policy's question. */
export interface ProfileSettings {
  readonly naming: Naming
  /** UTF-8 bytes of the tools on one page of a list; more go on the next page. Undefined: one page. */
  readonly maxListBytes?: number | undefined
  /** UTF-8 bytes of a result. Undefined: no limit. */
  readonly maxResultBytes?: number | undefined
}

export const plainProfile: ProfileSettings = Object.freeze({ naming: exactNaming })

/** Finds a profile by its name in the URL; undefined when there is none. */
export type FindProfile = (name: string) => ProfileSettings | undefined
