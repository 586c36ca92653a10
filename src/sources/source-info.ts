import type { OpenCircuit } from '../model/open-circuit.js'
import type { SourceStatus } from './status.js'

/** A mounted source as it is shown. */
export interface SourceInfo {
  readonly name: string
  readonly kind: string
  readonly namespace: string
  readonly status: SourceStatus
  /** How many of its tools are in the catalog. */
  readonly tools: number
  /** What of it failed repeatedly and is left alone: tools one by one, or the whole source. */
  readonly circuits: readonly OpenCircuit[]
}
