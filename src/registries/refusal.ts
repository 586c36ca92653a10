import { GatewayError } from '../errors.js'

/** A sentence in both languages. */
export interface BothWords {
  readonly en: string
  readonly zh: string
}

export const both = (en: string, zh: string): BothWords => ({ en, zh })

/** Why a server is not taken as its registry has it. The Chinese sentence is in the details, for who shows it. */
export const refused = (why: BothWords): GatewayError =>
  new GatewayError('SOURCE_INVALID', why.en, { details: { zh: why.zh } })
