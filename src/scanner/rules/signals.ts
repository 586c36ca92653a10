import type { Signal } from '../automaton.js'
import { actingSignals } from './signals/acting.js'
import { ordersSignals } from './signals/orders.js'
import { secrecySignals } from './signals/secrecy.js'
import { takingSignals } from './signals/taking.js'
import { toolsSignals } from './signals/tools.js'

/** What words may say. A signal alone is rarely a reason to worry; `rules.ts` says which of them together are. */
export const signals: readonly Signal[] = [
  ...secrecySignals,
  ...takingSignals,
  ...ordersSignals,
  ...actingSignals,
  ...toolsSignals,
]
