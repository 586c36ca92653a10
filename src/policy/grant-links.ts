import { randomBytes } from 'node:crypto'
import type { GrantRows } from './grant-rows.js'
import { linkHash, stateAt } from './grants.js'

/**
 * Links by which whoever holds one may answer one request, once: 256 random bits, of which only the hash is kept, with the
 * request, so that a link ends with it and works wherever the store is read.
 */
export class GrantLinks {
  readonly #rows: GrantRows

  constructor(rows: GrantRows) {
    this.#rows = rows
  }

  /** A new one, in the place of an earlier; undefined where the request is no longer open. */
  async make(id: string, now: number): Promise<string | undefined> {
    const row = (await this.#rows.all()).find(({ grant }) => grant.id === id)
    if (!row) return undefined
    const token = randomBytes(32).toString('base64url')
    const linked = await this.#rows.change(row.key, (there) =>
      there.id === id && stateAt(there, now) === 'asked' ? { ...there, link: linkHash(token) } : undefined,
    )
    return linked && token
  }

  /** The request that it answers; undefined for what is no link, was used, or whose request is over. */
  async find(token: string, now: number): Promise<string | undefined> {
    if (!shape.test(token)) return undefined
    const wanted = linkHash(token)
    const row = (await this.#rows.all()).find(({ grant }) => grant.link === wanted && stateAt(grant, now) === 'asked')
    return row?.grant.id
  }
}

const shape = /^[A-Za-z0-9_-]{43}$/
