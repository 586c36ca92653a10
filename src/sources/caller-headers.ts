import { GatewayError } from '../errors.js'
import type { Identity } from '../model/caller.js'
import { nobodyKnown } from './sign-in-required.js'

/** What of a caller a header may name. */
export const callerFields = ['id', 'sub', 'name', 'email', 'groups'] as const
type CallerField = (typeof callerFields)[number]

type Headers = Readonly<Record<string, string>>

const template = /\$\{caller\.(id|sub|name|email|groups)\}/g
// Servers cut headers off at a few kilobytes, and what a header says of somebody should be read at a glance.
const mostBytes = 256

/** Whether a header names something of the caller. */
export const namesCaller = (headers: Headers): boolean =>
  Object.values(headers).some((value) => value.search(template) >= 0)

/**
 * Headers with what they name of the caller. Only of one that somebody vouches for; what cannot be said in one short line of
 * ASCII refuses the call, since a server would take half a name, or an empty one, for somebody else.
 */
export const headersFor = (headers: Headers, identity: Identity | undefined, source: string): Headers => {
  const fill = (_: string, field: CallerField): string => {
    if (!identity) throw nobodyKnown(source)
    return checked(fieldOf(identity, field, source), field, source)
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(template, fill)]))
}

const fieldOf = (identity: Identity, field: CallerField, source: string): string | undefined => {
  if (field === 'id') return identity.id
  if (field === 'sub') return identity.subject
  if (field !== 'groups') return identity[field]
  // A comma in a name would make two groups of one.
  if (identity.groups?.some((group) => group.includes(','))) throw unsayable(field, 'has a comma in a name', source)
  return identity.groups?.join(',')
}

const checked = (value: string | undefined, field: CallerField, source: string): string => {
  if (value === undefined || value === '') throw unsayable(field, 'is not known', source)
  if (!/^[\x20-\x7e]*$/.test(value) || value !== value.trim()) throw unsayable(field, 'is not plain ASCII', source)
  if (value.length > mostBytes) throw unsayable(field, `is longer than ${mostBytes} bytes`, source)
  return value
}

const unsayable = (field: CallerField, why: string, source: string): GatewayError =>
  new GatewayError(
    'ACCESS_DENIED',
    `'${source}' wants to know who calls by \${caller.${field}}, which of this caller ${why}. Ask whoever runs the gateway to use \${caller.id}, or "assert".`,
    { details: { source, field }, notSent: true },
  )
