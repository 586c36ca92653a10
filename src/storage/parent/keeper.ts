import type { JsonObject, JsonValue } from '../../model/json.js'
import type { StoreBackend } from '../backends.js'
import type { Heard, LeaseRow, Replica, SignOfLife } from '../commons.js'
import type { StoredDocument, StoredTool, StoreProblem, Temperature, ToolSelection, ToolUses } from '../store.js'

/** Which documents: those of the store, or those that other programs write as well. */
export interface DocumentPlace {
  readonly kind: string
  readonly of: 'store' | 'shared'
}

/** The answer `stale`: somebody wrote in between; look again and ask again. */
export type WrittenIf = boolean | 'stale'

/** What a process asks of the one that keeps its data. Functions do not travel, so a change is made on what was seen. */
export interface Keeper {
  backend(): Promise<{ readonly backend: StoreBackend; readonly place: string; readonly hasCommons: boolean }>
  kinds(): Promise<readonly string[]>
  bytes(): Promise<number | undefined>
  /** Opens it, where nobody has yet. */
  open(): Promise<void>
  select(selection: ToolSelection): Promise<readonly StoredTool[]>
  saveMany(tools: readonly StoredTool[]): Promise<void>
  add(tools: readonly StoredTool[]): Promise<string | undefined>
  delete(id: string): Promise<boolean>
  validate(): Promise<readonly StoreProblem[]>
  loadByTemperature(asked: {
    readonly temperature: Temperature
    readonly limit?: number | undefined
  }): Promise<readonly StoredTool[]>
  loadByTag(tag: string): Promise<readonly StoredTool[]>
  uses(): Promise<readonly ToolUses[]>
  merge(tools: readonly StoredTool[], uses: readonly ToolUses[]): Promise<void>

  getDocument(place: DocumentPlace, id: string): Promise<JsonValue | undefined>
  allDocuments(place: DocumentPlace): Promise<readonly StoredDocument[]>
  putDocuments(place: DocumentPlace, documents: readonly StoredDocument[]): Promise<void>
  addDocuments(place: DocumentPlace, documents: readonly StoredDocument[]): Promise<void>
  /** Added if the others are still those of which this is the digest. */
  addDocument(place: DocumentPlace, document: StoredDocument, others: string): Promise<WrittenIf>
  /** Changed if it is still what was seen; false when there is none. */
  changeDocument(place: DocumentPlace, change: DocumentEdit): Promise<WrittenIf>
  deleteDocument(place: DocumentPlace, id: string): Promise<boolean>
  /** Grows with every write to the shared documents of a kind, by whomever. */
  sharedVersion(kind: string): Promise<number>
  addUses(kind: string, uses: readonly ToolUses[]): Promise<void>

  look(): Promise<void>
  secret(): Promise<string>
  beat(sign: SignOfLife): Promise<Heard>
  take(name: string, holder: string, leaseMs: number): Promise<number | undefined>
  giveBack(lease: Pick<LeaseRow, 'name' | 'epoch'>, holder: string): Promise<void>
  standing(leaseMs: number): Promise<Heard>
  release(name: string): Promise<boolean>
  leave(replica: Pick<Replica, 'name' | 'instance'>): Promise<void>
  draw(key: string, wanted: number, limit: { readonly calls: number; readonly perMs: number }): Promise<number>
  getSession(sid: string): Promise<{ readonly state: JsonObject; readonly ended: boolean } | undefined>
  putSession(sid: string, state: JsonObject, until: number): Promise<void>
  endSession(sid: string, until: number): Promise<void>
  sessionChanges(): Promise<readonly { readonly sid: string; readonly state: JsonObject; readonly ended: boolean }[]>
  putPending(id: string, sealed: string, until: number): Promise<void>
  takePending(id: string): Promise<string | undefined>
}

export interface DocumentEdit {
  readonly id: string
  readonly seen: JsonValue
  readonly value: JsonValue
}
