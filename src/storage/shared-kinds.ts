/**
 * Kinds of documents that several processes write at once; a sqlite store, which is one process's own, keeps those in files
 * beside it. Whoever asks for `shared` documents of another kind adds it here, so that `storage move` finds their place.
 */
const sharedKinds: ReadonlySet<string> = new Set([
  'call-grants',
  'caller-sign-ins',
  'config',
  'keys',
  'people',
  'session-secrets',
  'sessions',
  'sign-ins',
  'vault',
])

export const isSharedKind = (kind: string): boolean => sharedKinds.has(kind)
