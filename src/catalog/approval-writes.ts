import type { DocumentSet } from '../storage/store.js'
import { type ApprovalPlace, type Approved, readRecord, toValue } from './approval-record.js'

/** What waits to be written. */
export interface Fresh {
  readonly place: ApprovalPlace
  /** What our own stands in the place of; undefined where there was nothing. Where it is another's by now, that stays. */
  readonly was: string | undefined
}

export interface WaitingRecord {
  readonly id: string
  readonly fresh: Fresh
  readonly record: Approved
}

/** Tells one decision about a definition from another. */
export const markOf = (record: Approved | undefined): string =>
  `${record?.hash}/${record?.rejected?.hash}/${record?.readonly?.hash}`

/** Where others write too, the first who writes is the one who saw it: nothing of theirs is overwritten. */
export const writeApprovals = async (writer: DocumentSet, waiting: readonly WaitingRecord[]): Promise<void> => {
  const documents = (some: readonly WaitingRecord[]) =>
    some.map(({ id, fresh, record }) => ({ id, value: toValue(record, fresh.place) }))
  if (!writer.addMany) return writer.putMany(documents(waiting))
  const firsts = waiting.filter(({ fresh }) => fresh.was === undefined)
  if (firsts.length > 0) await writer.addMany(documents(firsts))
  for (const { id, fresh, record } of waiting)
    if (fresh.was !== undefined)
      await writer.update(id, (current) => {
        const there = readRecord(current)?.record
        return there && markOf(there) !== fresh.was ? current : toValue(record, fresh.place)
      })
}
