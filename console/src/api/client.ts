import { readKey } from './key.js'

/** Something the gateway said no to, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string | undefined,
  ) {
    super(message)
  }
}

const base = new URL('./api/admin/v1', document.baseURI).href
const listeners = new Set<() => void>()

/** Told when the gateway no longer takes the key. */
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

/** A request with the key; the caller reads the answer. */
export const request = async (method: string, path: string, body?: unknown, signal?: AbortSignal) => {
  const headers: Record<string, string> = { Authorization: `Bearer ${readKey() ?? ''}` }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const response = await fetch(`${base}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  if (response.ok) return response
  const error = await errorOf(response)
  if (response.status === 401) for (const listener of listeners) listener()
  throw error
}

const ask = async <Answer>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> =>
  (await request(method, path, body, signal)).json() as Promise<Answer>

const errorOf = async (response: Response): Promise<ApiError> => {
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { code?: string; message?: string; hint?: string } }
    | undefined
  const { code = 'UNKNOWN', message = response.statusText, hint } = body?.error ?? {}
  return new ApiError(response.status, code, message, hint)
}
