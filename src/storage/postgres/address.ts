import { GatewayError } from '../../errors.js'

export interface DatabaseAddress {
  readonly url: string
  /** `host:port/database`, for people: without user and password. */
  readonly place: string
}

/** Throws CONFIG_INVALID without repeating what was written, which may hold a password. */
export const parseAddress = (url: string | undefined): DatabaseAddress => {
  if (url === undefined || url === '')
    throw invalid('needs the address of a database. Set storage.url (PEGBOARD_DATABASE_URL)')
  if (!/^postgres(?:ql)?:\/\//.test(url)) throw invalid('has an address that does not begin with postgres://')
  try {
    const { hostname, port, pathname, searchParams } = new URL(url.replace(/^postgres(?:ql)?:/, 'http:'))
    const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || 'localhost')
    return {
      url,
      place: `${host}:${searchParams.get('port') ?? (port || '5432')}/${decodeURIComponent(pathname.slice(1))}`,
    }
  } catch {
    throw invalid('has an address that cannot be read; a password with special characters must be percent-encoded')
  }
}

const invalid = (problem: string) =>
  new GatewayError('CONFIG_INVALID', `The postgres storage ${problem}: postgres://user:password@host:5432/database.`, {
    details: { path: 'storage.url' },
  })
