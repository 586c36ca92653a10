import type { Right } from './caller.js'

/** All rights there are, from the least. */
export const everyRight = [
  'discover',
  'call:readonly',
  'call',
  'register',
  'look',
  'operate',
  'approve',
  'admin',
  'spawn',
] as const satisfies readonly Right[]

/** Sets of rights with true names: what somebody can be, a key and a certificate included. */
export const heldRoles = ['reader', 'caller', 'publisher', 'viewer', 'operator', 'admin'] as const
export type HeldRole = (typeof heldRoles)[number]

/** `none` lets nobody in: a row that says no. */
export const roles = ['none', ...heldRoles] as const
export type Role = (typeof roles)[number]

const rights: Readonly<Record<Role, readonly Right[]>> = {
  none: Object.freeze([]),
  reader: Object.freeze(['discover', 'call:readonly'] as const),
  caller: Object.freeze(['discover', 'call'] as const),
  publisher: Object.freeze(['discover', 'call', 'register'] as const),
  viewer: Object.freeze(['look'] as const),
  operator: Object.freeze(['look', 'operate', 'approve', 'discover', 'call'] as const),
  admin: Object.freeze(['discover', 'call', 'register', 'look', 'operate', 'approve', 'admin', 'spawn'] as const),
}

export const rightsOfRole = (role: Role): readonly Right[] => rights[role]

/** What a token may be narrowed to; each includes those before it on its side. */
export const tokenScopes = [
  'mcp:read',
  'mcp:call',
  'mcp:register',
  'board:view',
  'board:operate',
  'board:admin',
] as const
export type TokenScope = (typeof tokenScopes)[number]

const ofScope: Readonly<Record<TokenScope, readonly Right[]>> = {
  'mcp:read': ['discover', 'call:readonly'],
  'mcp:call': ['discover', 'call:readonly', 'call'],
  'mcp:register': ['discover', 'call:readonly', 'call', 'register'],
  'board:view': ['look'],
  'board:operate': ['look', 'operate', 'approve'],
  'board:admin': ['look', 'operate', 'approve', 'admin', 'spawn'],
}

/** The scope to ask for by who lacks this right; at the endpoints that is the one that clients begin with. */
export const scopeFor = (right: Right): TokenScope => scopes[right]

const scopes: Readonly<Record<Right, TokenScope>> = {
  discover: 'mcp:call',
  'call:readonly': 'mcp:call',
  call: 'mcp:call',
  register: 'mcp:register',
  look: 'board:view',
  operate: 'board:operate',
  approve: 'board:operate',
  admin: 'board:admin',
  spawn: 'board:admin',
}

/**
 * What is left of these rights under these scopes: a token can only take away. Somebody with `call` whose token says
 * `mcp:read` may still call what is read-only. Unknown words give nothing.
 */
export const narrowed = (held: readonly Right[], asked: readonly string[]): readonly Right[] => {
  const allowed = new Set(asked.flatMap((scope) => (Object.hasOwn(ofScope, scope) ? ofScope[scope as TokenScope] : [])))
  const left = held.filter((right) => allowed.has(right))
  const readsOnly = held.includes('call') && !left.includes('call') && allowed.has('call:readonly')
  return readsOnly ? [...left, 'call:readonly'] : left
}

/** Whether somebody with these rights may give those to others: nobody gives more than they have. */
export const mayGive = (held: readonly Right[], given: readonly Right[]): boolean =>
  given.every((right) => held.includes(right) || (right === 'call:readonly' && held.includes('call')))

/** Whether these rights open what asks for that one. Which tools may be called read-only is the policy's to say. */
export const admits = (held: readonly Right[], wanted: Right): boolean =>
  held.includes(wanted) || (wanted === 'call' && held.includes('call:readonly'))

/** Where either will do. */
export type EitherRight = 'discover or look'

/** The same where either of two may do. */
export const opens = (held: readonly Right[], wanted: Right | EitherRight): boolean =>
  wanted === 'discover or look' ? held.includes('discover') || held.includes('look') : admits(held, wanted)

/** Which of two it is for whoever holds these: the one that they have. */
export const oneOf = (wanted: Right | EitherRight, held: readonly Right[]): Right => {
  if (wanted !== 'discover or look') return wanted
  return held.includes('look') ? 'look' : 'discover'
}
