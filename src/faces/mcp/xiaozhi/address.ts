import { GatewayError } from '../../../errors.js'

/** Where an endpoint is. The URL holds its only credential, so everything that is shown goes through here. */
export interface Address {
  readonly url: string
  /** The host alone. The rest of the URL is a secret or next to one. */
  readonly host: string
  /** When the token ends, in milliseconds since the epoch; undefined when it does not say. */
  readonly expiresAt: number | undefined
  /** The text with every part of the secret masked, however little of it somebody quoted. */
  scrub(text: string): string
}

const mask = '***'
/** So many characters in a row that also stand in the secret are taken for a part of it. */
const gramLength = 6
/** A path segment as long as this is no word; some relays put the token there. */
const secretSegment = 16
const longestText = 500

/** Refuses what cannot be dialled, without a word of it: the message must not hold the token either. */
export const parseAddress = (url: string): Address => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^wss?:$/.test(parsed.protocol))
    throw new GatewayError(
      'CONFIG_INVALID',
      'The address of a xiaozhi endpoint must be a URL that starts with ws:// or wss://; copy it from the console.',
    )
  const grams = gramsOf(secretsOf(parsed))
  return {
    url: url.split('#', 1)[0]!,
    host: parsed.host,
    expiresAt: [...parsed.searchParams.values()].map(expiryOf).find((at) => at !== undefined),
    scrub: (text) => scrubbed(text.slice(0, longestText), grams),
  }
}

/** Every value that may be one, as it is written and as it is meant: a peer may quote either. */
const secretsOf = (url: URL): readonly string[] => {
  const raw = [...url.search.slice(1).split('&').map(afterEquals), url.username, url.password, url.hash.slice(1)]
  const segments = url.pathname.split('/').filter((segment) => segment.length >= secretSegment)
  const decoded = [...raw, ...segments].map((text) => {
    try {
      return decodeURIComponent(text)
    } catch {
      return text
    }
  })
  return [...raw, ...segments, ...decoded, ...url.searchParams.values()]
}

const afterEquals = (pair: string): string => pair.slice(pair.indexOf('=') + 1)

const gramsOf = (secrets: readonly string[]): ReadonlySet<string> => {
  const grams = new Set<string>()
  for (const secret of secrets) {
    // A short one is masked whole.
    if (secret.length > 0 && secret.length < gramLength) grams.add(secret)
    for (let at = 0; at + gramLength <= secret.length; at++) grams.add(secret.slice(at, at + gramLength))
  }
  return grams
}

const scrubbed = (text: string, grams: ReadonlySet<string>): string => {
  const hidden = new Array<boolean>(text.length).fill(false)
  for (let at = 0; at < text.length; at++) {
    for (let length = 1; length <= gramLength; length++) {
      if (grams.has(text.slice(at, at + length))) hidden.fill(true, at, at + length)
    }
  }
  return maskRuns(text, hidden)
}

const maskRuns = (text: string, hidden: readonly boolean[]): string => {
  let shown = ''
  for (let at = 0; at < text.length; at++) {
    if (!hidden[at]) shown += text[at]
    else if (at === 0 || !hidden[at - 1]) shown += mask
  }
  return shown
}

/** The `exp` of a JWT (X2). Read to tell a person when to fetch a new address; nothing is decided by it. */
const expiryOf = (token: string): number | undefined => {
  const payload = /^[\w-]+\.([\w-]{1,4096})\.[\w-]*$/.exec(token)?.[1]
  if (payload === undefined) return undefined
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: unknown }
    return typeof exp === 'number' && exp > 0 && exp < 1e11 ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}
