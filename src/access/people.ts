import type { Identity } from '../model/caller.js'

/** Somebody who was here, for operators to see and to end. Nothing in it gives anybody a right. */
export interface Person {
  readonly id: string
  readonly issuer: string
  readonly subject: string
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly groups?: readonly string[] | undefined
  readonly firstSeen: number
  readonly lastSeen: number
  /** What was issued before this opens nothing any more; milliseconds since the epoch. */
  readonly endedAt?: number | undefined
}

export interface People extends AsyncDisposable {
  /** Noted behind the request, now and then. */
  seen(identity: Identity): void
  list(): readonly Person[]
  /** By id, by verified address, or by name where only one has it. */
  find(text: string): Person | undefined
  /** Whose a key is: by id, or by a verified address that only one has. Waits for nothing; the same object while nothing is new. */
  ownerOf(owner: string): Person | undefined
  /** Whether what was issued to them at this time is over. Waits for nothing. */
  isEnded(id: string, issuedAt: number): boolean
  /** Ends what they have: sessions, keys they own, credentials upstream. False where nobody is known by this id. */
  end(id: string): Promise<boolean>
  /** Told who was ended, here or elsewhere. */
  onEnd(listener: (id: string) => void): () => void
}
