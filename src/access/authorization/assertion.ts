import type { TokenAnswer } from './token.js'

/** Trades a grant of the identity provider (ID-JAG) for a token of ours. */
export type Assertions = (form: URLSearchParams) => Promise<TokenAnswer>
