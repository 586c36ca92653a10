import type { JsonObject } from '../../src/model/json.js'

export interface LabelledAttack {
  readonly id: string
  readonly family: string
  readonly lang: 'en' | 'zh' | 'mixed'
  /** Never looked at while rules are made. */
  readonly held: boolean
  readonly definition: JsonObject
}
export interface HardNegative {
  readonly id: string
  readonly lang: 'en' | 'zh' | 'mixed'
  readonly definition: JsonObject
}
export declare const attacks: () => readonly LabelledAttack[]
export declare const hardNegatives: () => readonly HardNegative[]
