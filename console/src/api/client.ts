/** Something the gateway said no to, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string | undefined,
    /** What is wrong where, for forms. */
    readonly problems: readonly { readonly path: string; readonly message: string }[] = [],
  ) {
    super(message)
  }
}

export const base = new URL('./api/admin/v1', document.baseURI).href
const listeners = new Set<() => void>()

/** Told when nobody is signed in any more. */
export const onSignedOut = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const get = <Answer>(path: string, signal?: AbortSignal): Promise<Answer> =>
  ask<Answer>('GET', path, undefined, signal)
export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> => ask<Answer>('POST', path, body)
export const put = <Answer>(path: string, body: unknown): Promise<Answer> => ask<Answer>('PUT', path, body)
export const del = <Answer>(path: string): Promise<Answer> => ask<Answer>('DELETE', path)

/** One segment of a path from any text. */
export const segment = (text: string): string => encodeURIComponent(text)

export interface Asking {
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A request by the cookie of this browser; the caller reads the answer. */
export const request = async (method: string, path: string, { body, signal, headers }: Asking = {}) => {
  const response = await fetch(`${base}${path}`, {
    method,
    // No form and no page of elsewhere can send this one: without it a cookie changes nothing.
    headers: {
      'X-Pegboard-Console': '1',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  if (response.ok) return response
  const error = await errorOf(response)
  if (response.status === 401) for (const listener of listeners) listener()
  throw error
}

const ask = async <Answer>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> =>
  (await request(method, path, { body, signal })).json() as Promise<Answer>

const errorOf = async (response: Response): Promise<ApiError> => {
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { code?: string; message?: string; hint?: string; details?: { problems?: ApiError['problems'] } } }
    | undefined
  const { code = 'UNKNOWN', message = response.statusText, hint, details } = body?.error ?? {}
  return new ApiError(response.status, code, message, hint, details?.problems)
}
