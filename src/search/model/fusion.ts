import type { Fusion } from '../embedding/fusion.js'

/**
 * How the built-in model's voice joins the words, as a share of the covered query. Chosen on development sets with one
 * family of sets left out at a time (training/fusion.py). Held-out training text would give the model two to three times
 * this voice and lose where words match. Query length, uncovered words, matches in names and a vote by similarity gained
 * nothing that lasted on the sets left out.
 */
const share = 0.175
// Chinese is matched by characters and by pairs of them, so words of its own language cover a smaller share of a query
// and reach a tool more surely than vectors do.
const chineseShare = 0.075

/** Words lead; a query none of whose words any tool has leaves the field to the model. */
export const builtInFusion: Fusion = ({ lexical, similarity = 0, bothChinese }, { bestLexical }) =>
  bestLexical === 0 ? similarity : (lexical + (bothChinese ? chineseShare : share) * similarity) / (1 + share)
