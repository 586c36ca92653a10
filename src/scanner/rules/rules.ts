import { deedRules } from './deed-rules.js'
import { orderRules } from './order-rules.js'
import type { Rule } from './rule.js'

/** All rules. Their order counts: one that is told keeps back those that say the same and come later. */
export const rules: readonly Rule[] = [...orderRules, ...deedRules]
