import type { Fusion } from '../embedding/fusion.js'

/**
 * The first glance: how the built-in model's voice joins the words before the best are looked at closer (ranking.ts). Held-out
 * training text would give the model two to three times this voice and lose where words match; so these two were chosen on
 * development sets, and what decides among the best was learned.
 */
const share = 0.175
// Chinese is matched by characters and by pairs of them, so words of its own language cover a smaller share of a query
// and reach a tool more surely than vectors do.
const chineseShare = 0.075

/** Words lead; a query none of whose words any tool has leaves the field to the model. */
export const builtInFusion: Fusion = ({ lexical, similarity = 0, bothChinese }, { bestLexical }) =>
  bestLexical === 0 ? similarity : (lexical + (bothChinese ? chineseShare : share) * similarity) / (1 + share)
