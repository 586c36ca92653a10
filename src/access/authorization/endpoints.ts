/** An endpoint of ours that a token can be for. */
export interface ServedEndpoint {
  /** As tokens and metadata name it: `https://host/mcp/eng`. */
  readonly resource: string
  /** Undefined for the one without a name. */
  readonly profile: string | undefined
}

/** Where we are, as the world outside sees us. */
export interface Addresses {
  /** Of our tokens and answers: our public address, without a last slash. */
  readonly issuer: string
  readonly origin: string
  /** Over https; plain http is for this machine alone. */
  readonly isSecure: boolean
  /** For people to read. */
  readonly host: string
  at(path: string): string
  /** The endpoint of this address; undefined for what is not ours. Whether a profile is there is nobody's business here. */
  endpointOf(resource: string | undefined): ServedEndpoint | undefined
}

const profileShape = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** `publicUrl` and nothing else: no header of a request is believed. */
export const addressesOf = (publicUrl: string, path: string): Addresses => {
  const url = new URL(publicUrl)
  const issuer = publicUrl.replace(/\/+$/, '')
  const below = `${issuer}${path.replace(/\/$/, '')}`
  const main: ServedEndpoint = { resource: `${issuer}${path}`, profile: undefined }
  return {
    issuer,
    origin: url.origin,
    isSecure: url.protocol === 'https:',
    host: url.host,
    at: (place) => `${issuer}${place}`,
    endpointOf: (resource) => {
      if (resource === undefined) return main
      if (resource.length > 2048 || !URL.canParse(resource) || /[\s\\#?]/.test(resource)) return undefined
      // Scheme and host may be written in any case; the rest may not.
      const asked = new URL(resource)
      if (asked.username !== '' || asked.password !== '') return undefined
      const plain = asked.href.replace(/\/$/, '')
      if (plain === below || plain === issuer) return main
      const profile = plain.startsWith(`${below}/`) ? plain.slice(below.length + 1) : ''
      return profileShape.test(profile) ? { resource: plain, profile } : undefined
    },
  }
}
