import type { GatewayError } from '../../errors.js'

/** What shows a server who we are, where that changes over time: a token that runs out and is renewed. */
export interface Credentials {
  /** The headers of the next request. The same object until they change, so that they are made ready once. */
  headers(): Readonly<Record<string, string>>
  /** False where the next request would be refused for sure: then `renew` is asked before it is sent. */
  isFresh(): boolean
  /**
   * Gets new ones, after this refusal or because the old ones ran out. Calls at the same time are one. Rejects with what
   * somebody has to do where nothing more can be done here.
   */
  renew(refusal: GatewayError | undefined): Promise<void>
}
