import { isRecord, type JsonValue, kindOf } from '../../model/json.js'
import { type Documents, isDocumentId, isShallow, maxDocumentDepth, sortedDocuments } from '../documents.js'
import { storeCorrupt } from '../problems.js'
import { checkVersion, parseFile } from './parse-file.js'
import { findDuplicateKey } from './position.js'

const format = 'pegboard-documents'
const version = 1

/** One document a line, sorted, so that a diff shows what changed and a vector stays one line. */
export const encodeDocuments = (kind: string, documents: Documents): string => {
  const lines = sortedDocuments(documents).map(({ id, value }) => `    ${JSON.stringify(id)}: ${JSON.stringify(value)}`)
  const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`
  return `{\n  "format": "${format}",\n  "version": ${version},\n  "kind": "${kind}",\n  "documents": ${body}\n}\n`
}

/** Also reads what people made of it with an editor, as long as nothing in it is ambiguous. */
export const decodeDocuments = (bytes: Uint8Array, kind: string, file: string): Documents => {
  const { text, value } = parseFile(bytes, file)
  if (!isRecord(value) || value.format !== format) throw storeCorrupt(file, `it is no file of "${format}"`)
  checkVersion(value.version, version, file)
  if (value.kind !== kind) throw storeCorrupt(file, `it must hold documents of the kind "${kind}"`)
  if (!isRecord(value.documents))
    throw storeCorrupt(file, `"documents" must be an object, found ${kindOf(value.documents)}`)
  const entries = Object.entries(value.documents)
  if (countLines(text) !== entries.length) refuseDuplicates(text, file)
  for (const [id, document] of entries) checkEntry(id, document, file)
  return new Map(entries as [string, JsonValue][])
}

// A repeated id shows as more lines than documents.
const countLines = (text: string): number => text.match(/^ {4}"/gm)?.length ?? 0

const refuseDuplicates = (text: string, file: string): void => {
  const name = findDuplicateKey(text)
  if (name !== undefined) throw storeCorrupt(file, `'${name.slice(0, 128)}' occurs twice`)
}

const checkEntry = (id: string, value: unknown, file: string): void => {
  if (!isDocumentId(id)) throw storeCorrupt(file, 'a document has an id that none of ours can have')
  if (!isShallow(value, maxDocumentDepth)) throw storeCorrupt(file, `document '${id.slice(0, 128)}' is nested too deep`)
}
