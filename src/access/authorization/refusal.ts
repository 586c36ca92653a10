/** Why an authorization server says no, in the words of RFC 6749, 7591, 8707 and 7009. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable'

/** A refusal for a program to read. Where people read, `page.ts` has words in both languages. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal'

  constructor(
    readonly error: OAuthErrorCode,
    /** What is wrong and what to try; plain ASCII, and never a part of what was sent. */
    message: string,
    readonly status: 400 | 401 | 403 | 415 | 429 | 503 = 400,
    readonly headers?: Readonly<Record<string, string>> | undefined,
  ) {
    super(message)
  }
}

/** By name and shape, since `instanceof` fails when two copies of a package meet. */
export const isOAuthRefusal = (error: unknown): error is OAuthRefusal =>
  error instanceof Error && error.name === 'OAuthRefusal' && 'error' in error
