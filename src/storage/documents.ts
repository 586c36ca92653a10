import { GatewayError } from '../errors.js'
import type { JsonValue } from '../model/json.js'
import type { DocumentSet, StoredDocument } from './store.js'
import { compareIds } from './tool-set.js'

/** One document must never make the whole file unreadable. */
export const maxDocumentChars = 4 * 1024 * 1024
export const maxDocumentDepth = 200
const maxIdChars = 4096

/** The documents of one kind at one moment, by id. Never edited: a change makes the next map. */
export type Documents = ReadonlyMap<string, JsonValue>

export type DocumentChange =
  | { readonly type: 'put'; readonly documents: readonly StoredDocument[] }
  | { readonly type: 'update'; readonly id: string; readonly change: (current: JsonValue) => JsonValue }
  | {
      readonly type: 'add'
      readonly document: StoredDocument
      readonly forbid: (there: readonly StoredDocument[]) => boolean
    }
  | { readonly type: 'delete'; readonly id: string }

/** How a backend reads documents, and where it takes changes. */
export interface DocumentAccess {
  get(id: string): Promise<JsonValue | undefined>
  all(): Promise<readonly StoredDocument[]>
  push(change: DocumentChange): Promise<boolean>
}

/** What every backend's set does in front of its own reading and writing: checks, copies, and errors to whom they belong. */
export const createDocumentSet = ({ get, all, push }: DocumentAccess): DocumentSet => ({
  get,
  all,
  put: async (id, value) => void (await push({ type: 'put', documents: [toDocument(id, value)] })),
  putMany: async (documents) =>
    void (await push({ type: 'put', documents: documents.map(({ id, value }) => toDocument(id, value)) })),
  addUnless: async (id, value, forbid) => push({ type: 'add', document: toDocument(id, value), forbid }),
  update: async (id, change) => {
    // Many changes travel in one write; one whose function throws must not take the others with it.
    let failed: { readonly error: unknown } | undefined
    const attempt = (current: JsonValue): JsonValue => {
      failed = undefined
      try {
        return toDocument(id, change(current)).value
      } catch (error) {
        failed = { error }
        return current
      }
    }
    const found = await push({ type: 'update', id, change: attempt })
    if (failed !== undefined) throw (failed as { readonly error: unknown }).error
    return found
  },
  delete: (id) => push({ type: 'delete', id }),
})

/** The map after these changes, and for each whether there was something to do. */
export const applyDocumentChanges = (
  documents: Documents,
  changes: readonly DocumentChange[],
): { readonly next: Documents; readonly effects: readonly boolean[] } => {
  const next = new Map(documents)
  const effects = changes.map((change) => {
    if (change.type === 'delete') return next.delete(change.id)
    if (change.type === 'put') {
      for (const { id, value } of change.documents) next.set(id, value)
      return change.documents.length > 0
    }
    if (change.type === 'add') {
      if (change.forbid(sortedDocuments(next))) return false
      next.set(change.document.id, change.document.value)
      return true
    }
    const current = next.get(change.id)
    if (current === undefined) return false
    next.set(change.id, change.change(current))
    return true
  })
  return { next, effects }
}

export const sortedDocuments = (documents: Documents): readonly StoredDocument[] =>
  [...documents].map(([id, value]) => ({ id, value })).sort((a, b) => compareIds(a.id, b.id))

/** Kinds name files and rows, so they are plain words; `tools` is the tools' own file. */
export const checkKind = (kind: string): string => {
  if (/^[a-z][a-z0-9-]{0,63}$/.test(kind) && kind !== 'tools') return kind
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    'A kind of documents has 1 to 64 lower-case letters, digits and hyphens, begins with a letter, and is not "tools".',
  )
}

/** Whether a text comes back from every database as it went in. */
export const isDocumentId = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && id.length <= maxIdChars && !/\0|\p{Surrogate}/u.test(id)

/** A checked, detached copy: the caller may go on editing its object while the write waits. */
export const toDocument = (id: string, value: JsonValue): StoredDocument => {
  if (!isDocumentId(id))
    throw invalid(`id must be a text of 1 to ${maxIdChars} characters without NUL or half surrogates`)
  const json = stringify(value)
  if (json.length > maxDocumentChars) throw invalid(`is longer than ${maxDocumentChars} characters as JSON`)
  const copy = JSON.parse(json) as JsonValue
  if (!isShallow(copy, maxDocumentDepth)) throw invalid(`is nested more than ${maxDocumentDepth} levels deep`)
  return { id, value: copy }
}

const stringify = (value: unknown): string => {
  try {
    const json = JSON.stringify(value)
    if (json !== undefined) return json
  } catch (cause) {
    throw invalid('cannot be written as JSON: it has a cycle, a BigInt or too many levels', cause)
  }
  throw invalid('has no value that JSON can hold')
}

export const isShallow = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (!isShallow(item, levels - 1)) return false
  return true
}

const invalid = (problem: string, cause?: unknown): GatewayError =>
  new GatewayError('ARGUMENTS_INVALID', `A document ${problem}. It was not stored.`, { cause })
