import { isRecord } from '../model/json.js'
import type { Path } from './problems.js'

export interface CallerAuthFinding {
  readonly path: Path
  readonly message: string
}

/** What cannot be, of how callers are known at a source, with its reason: no schema says why. */
export const callerAuthFindings = (source: Readonly<Record<string, unknown>>): readonly CallerAuthFinding[] => {
  const { type, auth, headers } = source
  if (type === 'stdio' && isRecord(auth))
    return [
      {
        path: ['auth'],
        message:
          'is for sources with an address: a command is one process for everybody, and would show one caller the credentials of another; give it what it needs in "env"',
      },
    ]
  const isPersonal = isRecord(auth) && (auth.per === 'caller' || auth.type === 'exchange')
  if (type === 'openapi' && (isPersonal || source.assert === true) && !isAddressed(source))
    return [
      {
        path: ['baseUrl'],
        message: "is needed: each caller's own credential goes to the address that you name, not to one in a file",
      },
    ]
  if (!isRecord(auth) || !isRecord(headers)) return []
  const own = typeof auth.header === 'string' ? auth.header : 'Authorization'
  const twice = Object.keys(headers).find((name) => name.toLowerCase() === own.toLowerCase())
  return isPersonal && twice !== undefined
    ? [{ path: ['headers', twice], message: "is also the header of each caller's own credential; keep one of them" }]
    : []
}

const isAddressed = ({ baseUrl, spec }: Readonly<Record<string, unknown>>): boolean =>
  typeof baseUrl === 'string' || (typeof spec === 'string' && /^https?:/i.test(spec))
