import type { AuthResult } from '../http/auth.js'

/** One kind of bearer credential besides keys: our own tokens, or those of an issuer that we trust. */
export interface Bearers {
  /** By its shape alone, before any cryptography: at most one kind takes a text. */
  recognises(token: string): boolean
  /**
   * Who shows it at this endpoint (`https://host/mcp/eng`: our public address and the path). Without a promise wherever the
   * answer is known: it is on the path of every request. No promise rejects; what cannot be said is a refusal.
   */
  verify(token: string, endpoint: string): AuthResult | Promise<AuthResult>
}
