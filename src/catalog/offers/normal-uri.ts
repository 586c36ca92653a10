/**
 * One resource has many addresses: `FILE:///a`, `file:///b/../a`, `file:///%61`. Rules are asked about these two, which say
 * the same, since operators write either; the source gets what it listed, or what the caller wrote.
 */
export interface NormalUri {
  /** Scheme and host in lower case, without default port, dot segments, doubled slashes and percent-encoding. */
  readonly plain: string
  /** The same with what is not plain ASCII percent-encoded, as most servers list it. */
  readonly encoded: string
}

export const normalUri = (uri: string): NormalUri => {
  // As URL parsers do before they look: blanks around it and line breaks within say nothing.
  const text = uri.replace(blanksAround, '').replace(/[\t\n\r]/g, '')
  const [, scheme, rest = text] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? []
  const plain = scheme === undefined ? pathOf(text) : `${scheme.toLowerCase()}:${restOf(scheme.toLowerCase(), rest)}`
  return { plain, encoded: encoded(plain) }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what URL parsers drop.
const blanksAround = /^[\u0000-\u0020]+|[\u0000-\u0020]+$/g

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' }

const restOf = (scheme: string, rest: string): string => {
  const [, before = '', after = ''] = /^([^?#]*)(.*)$/s.exec(rest) ?? []
  const slashed = before.replaceAll('\\', '/')
  const [, authority, path = slashed] = /^\/\/([^/]*)(.*)$/s.exec(slashed) ?? []
  if (authority === undefined)
    // `file:/a` is `file:///a`; other schemes without an authority are what they are.
    return scheme === 'file' ? `//${pathOf(path)}${decoded(after)}` : `${pathOf(path)}${decoded(after)}`
  return `//${hostOf(scheme, authority)}${pathOf(path)}${decoded(after)}`
}

const hostOf = (scheme: string, authority: string): string => {
  const at = authority.lastIndexOf('@') + 1
  const [, name = '', port] = /^(.*?)(?::(\d*))?$/s.exec(decoded(authority.slice(at)).toLowerCase()) ?? []
  if (scheme === 'file' && name === 'localhost') return ''
  const shown = port === undefined || port === '' || port === defaultPorts[scheme] ? name : `${name}:${port}`
  return authority.slice(0, at) + shown
}

/** Decoded first: an encoded slash or dot is one to whoever opens the file. */
const pathOf = (path: string): string => {
  const parts = decoded(path).replaceAll('\\', '/').split(/\/+/)
  const kept: string[] = []
  for (const part of parts) {
    if (part === '..' && kept.length > 1) kept.pop()
    else if (part !== '.' && part !== '..') kept.push(part)
  }
  // What ends in a dot segment is a folder.
  if (/^\.{1,2}$/.test(parts.at(-1) ?? '')) kept.push('')
  return kept.join('/')
}

/** Runs of triplets that are UTF-8 are read; others stay, in capitals. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run.toUpperCase()
    }
  })

// Half a surrogate pair cannot be encoded as it is; through bytes it becomes the sign for what cannot be read.
const encoded = (plain: string): string => encodeURI(Buffer.from(plain).toString())
