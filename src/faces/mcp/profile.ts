import type { GatewayError } from '../../errors.js'
import { exactNaming, type Naming } from '../../gateway.js'

/** How one profile shows its tools over MCP. Which tools those are is the policy's question. */
export interface ProfileSettings {
  readonly naming: Naming
  /** Default `auto`: flat up to 40 tools, search beyond. */
  readonly expose?: 'auto' | 'flat' | 'search' | 'hybrid' | undefined
  /** Document 002's server: its six tools are always listed, whoever asks, and lists never stand in their place (B4). */
  readonly registry?: boolean | undefined
  /** What own tools say of themselves here, by name, where that depends on the profile. */
  readonly ownWords?: Readonly<Record<string, string>> | undefined
  /** Globs over ids: what `hybrid` always lists. */
  readonly pin?: readonly string[] | undefined
  /** UTF-8 bytes of the tools on one page of a list; more go on the next page. Undefined: one page. */
  readonly maxListBytes?: number | undefined
  /** UTF-8 bytes of a result. Undefined: no limit. */
  readonly maxResultBytes?: number | undefined
  /** Time for one call where the other side waits for less than the gateway would. A tool's own shorter time stays. */
  readonly timeoutMs?: number | undefined
  /** How a failed call is told to the model. Default: its message. */
  readonly sayError?: ((error: GatewayError) => string) | undefined
}

export const plainProfile: ProfileSettings = Object.freeze({ naming: exactNaming })

/** Finds a profile by its name in the URL; undefined when there is none. */
export type FindProfile = (name: string) => ProfileSettings | undefined
