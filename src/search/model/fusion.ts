import type { Fusion } from '../embedding/fusion.js'

/**
 * How the built-in model's voice joins the words, as a share of the covered query. Taught on held-out training text and
 * chosen on development sets with one family of sets left out at a time (docs/search-quality.md). Query length, gaps to
 * the best, matches in names and a vote by similarity were tried too, and gained nothing that lasted on the sets left out.
 */
const share = 0.17
// Chinese is matched by characters and by pairs of them, so words of its own language cover a smaller share of a query
// and reach a tool more surely than vectors do.
const chineseShare = 0.05

/** Words lead; a query none of whose words any tool has leaves the field to the model. */
export const builtInFusion: Fusion = ({ lexical, similarity = 0, bothChinese }, { bestLexical }) =>
  bestLexical === 0 ? similarity : (lexical + (bothChinese ? chineseShare : share) * similarity) / (1 + share)
