import { applyDocumentChanges, type DocumentChange } from '../documents.js'
import { storeCorrupt } from '../problems.js'
import type { StoredDocument } from '../store.js'
import type { Database, Row } from './driver.js'
import { textChecksum } from './rows.js'
import { asText, textOf } from './text.js'

/** A change of the documents of one kind, on its way to the same transaction as changes of tools. */
export interface KindChange {
  readonly type: 'documents'
  readonly kind: string
  readonly change: DocumentChange
}

// NUL separates, since neither kinds, ids nor JSON hold one. The number is cast because a damaged cell may hold anything.
const selected = `${asText('kind || char(0) || id || char(0) || value', 'packed')}, CAST(checksum AS INTEGER) AS checksum`

/** The documents of a kind by id; one of them; all of all kinds. */
export const documentQueries = {
  ofKind: `SELECT ${selected} FROM documents WHERE kind = ? ORDER BY id`,
  one: `SELECT ${selected} FROM documents WHERE kind = ? AND id = ?`,
  all: `SELECT ${selected} FROM documents`,
  kinds: `SELECT DISTINCT ${asText('kind', 'kind')} FROM documents ORDER BY kind`,
} as const

const putSql =
  'INSERT INTO documents (kind, id, value, checksum) VALUES (?, ?, ?, ?) ' +
  'ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value, checksum = excluded.checksum'

/** Throws STORE_CORRUPT for a row that is not as it was written. */
export const documentOf = (row: Row, seed: string, file: string): StoredDocument & { readonly kind: string } => {
  const packed = textOf(row.packed, file)
  const [kind, id, value] = packed.split('\0') as [string, string, string]
  if (textChecksum(seed, packed) !== row.checksum)
    throw storeCorrupt(file, `the row of a document in '${kind.slice(0, 64)}' is not as it was written`)
  return { kind, id, value: JSON.parse(value) }
}

/** Applies one change inside the caller's transaction; true if there was something to do. */
export const applyKindChange = (db: Database, seed: string, file: string, { kind, change }: KindChange): boolean => {
  if (change.type === 'delete')
    return db.prepare('DELETE FROM documents WHERE kind = ? AND id = ?').run(kind, change.id) > 0
  if (change.type === 'put') {
    putDocuments(db, seed, kind, change.documents)
    return change.documents.length > 0
  }
  if (change.type === 'add') {
    const there = db
      .prepare(documentQueries.ofKind)
      .all(kind)
      .map((row) => documentOf(row, seed, file))
    if (change.forbid(there)) return false
    putDocuments(db, seed, kind, [change.document])
    return true
  }
  const [row] = db.prepare(documentQueries.one).all(kind, change.id)
  if (!row) return false
  const { id, value } = documentOf(row, seed, file)
  const { next } = applyDocumentChanges(new Map([[id, value]]), [change])
  putDocuments(db, seed, kind, [{ id, value: next.get(id)! }])
  return true
}

const putDocuments = (db: Database, seed: string, kind: string, documents: readonly StoredDocument[]): void => {
  const put = db.prepare(putSql)
  for (const { id, value } of documents) {
    const json = JSON.stringify(value)
    put.run(kind, id, json, textChecksum(seed, `${kind}\0${id}\0${json}`))
  }
}
