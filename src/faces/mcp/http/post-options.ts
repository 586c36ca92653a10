import type { Clock } from '../../../model/clock.js'
import type { Shares } from '../../../model/shares.js'
import type { McpFace } from '../face.js'
import type { FindProfile } from '../profile.js'
import type { Passing } from './passing.js'
import type { Sessions } from './sessions.js'

/** What all requests to one endpoint share. */
export interface PostOptions {
  readonly face: McpFace
  readonly findProfile: FindProfile
  readonly sessions: Sessions
  readonly shares: Shares
  readonly clock: Clock
  /** How what is at other replicas is reached. Default: there are none. */
  readonly passing?: Passing | undefined
}
