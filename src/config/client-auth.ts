import { defined, isRecord } from '../model/json.js'
import type { EntryDraft } from './client-entry.js'

const ours: ReadonlySet<unknown> = new Set(['oauth', 'client-credentials', 'private-key-jwt', 'key', 'exchange'])

/**
 * Cursor writes `auth: { CLIENT_ID, CLIENT_SECRET, scopes }`, Gemini `oauth: { clientId, clientSecret, scopes }`, Codex
 * `scopes` beside the url, and some just `auth: "oauth"`: all of them a person who signs in. What is none of these is
 * left for the list of ignored keys.
 */
export const translateClientAuth = (draft: EntryDraft): void => {
  const { auth, oauth, scopes, ...rest } = draft.value
  if (isRecord(auth) && ours.has(auth.type)) return
  const [key, written] = isRecord(auth) ? (['auth', auth] as const) : (['oauth', oauth] as const)
  const found = isRecord(written) ? fromRecord(written) : {}
  const asked = found.scopes ?? words(scopes)
  const isMeant = Object.keys(found).length > 0 || asked !== undefined || auth === 'oauth'
  for (const each of ['auth', 'oauth', 'scopes']) if (isMeant || each === 'auth') delete draft.value[each]
  if (isMeant) {
    draft.value.auth = defined({ type: 'oauth', ...found, scopes: asked })
    if (isRecord(written)) draft.renamed.auth = key
  } else if (auth !== undefined && !Object.hasOwn(rest, 'auth'))
    draft.notes.push(['auth', 'is ignored: sign in with "headers", or with an "auth" of ours'])
}

const fromRecord = (value: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const clientId = value.CLIENT_ID ?? value.clientId ?? value.client_id
  const clientSecret = value.CLIENT_SECRET ?? value.clientSecret ?? value.client_secret
  const scopes = words(value.scopes ?? value.scope)
  return defined({
    clientId: clientId || undefined,
    clientSecret: (clientId && clientSecret) || undefined,
    scopes,
  })
}

const words = (value: unknown): readonly unknown[] | undefined => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim().split(/\s+/)
  return Array.isArray(value) && value.length > 0 ? value : undefined
}
