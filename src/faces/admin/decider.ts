import type { Caller } from '../../model/caller.js'
import type { KeyDesk } from './keys.js'

/** Who decides something: the name that is remembered, and the id by which they are known. */
export interface Decider {
  readonly id: string
  readonly name: string
}

/** Decisions of earlier versions were kept under the id of a key: read, they are somebody's (G11). */
export const namesOfKeys = async (
  keys: Pick<KeyDesk, 'list'>,
): Promise<(who: string | undefined) => string | undefined> => {
  const names = new Map((await keys.list()).map(({ id, name }) => [`key:${id}`, name]))
  return (who) => (who === undefined ? undefined : (names.get(who) ?? who))
}

/** Keys have names that people know (G11), and those with an owner are that person's. */
export const deciderOf = async (keys: Pick<KeyDesk, 'list'>, { id, identity }: Caller): Promise<Decider> => {
  if (identity) return { id: identity.id, name: identity.name ?? identity.email ?? identity.id }
  const key = (await keys.list()).find((each) => id === `key:${each.id}`)
  return { id: key?.owner === undefined ? id : `owner:${key.owner}`, name: key?.name ?? id }
}
