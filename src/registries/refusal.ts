import { GatewayError } from '../errors.js'
import type { BothWords } from '../model/both-words.js'

/** Why a server is not taken as its registry has it. The Chinese sentence is in the details, for who shows it. */
export const refused = (why: BothWords): GatewayError =>
  new GatewayError('SOURCE_INVALID', why.en, { details: { zh: why.zh } })
