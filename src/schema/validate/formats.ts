import { isIPv4, isIPv6 } from 'node:net'

/**
 * The formats that are checked under `formats: 'assert'`. Each takes time linear in the text; formats that need
 * tables or guesses (`idn-*`, `iri`) stay annotations.
 */
export const formatTests: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', (text: string) => isDate(text)],
  ['time', (text: string) => isTime(text)],
  ['date-time', (text: string) => isDateTime(text)],
  ['duration', (text: string) => isDuration(text)],
  ['email', (text: string) => isEmail(text)],
  ['hostname', (text: string) => isHostname(text)],
  ['ipv4', (text: string) => isIPv4(text)],
  ['ipv6', (text: string) => isIPv6(text) && !text.includes('%')],
  ['uri', (text: string) => isUri(text)],
  ['uuid', (text: string) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)],
  ['json-pointer', (text: string) => text === '' || /^\/(?:[^~]|~[01])*$/u.test(text)],
  ['relative-json-pointer', (text: string) => /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~]|~[01])*)?)$/u.test(text)],
  ['regex', (text: string) => isRegex(text)],
])

const isDate = (text: string): boolean => {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  return days !== undefined && day >= 1 && day <= days
}

const isTime = (text: string): boolean => {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text)
  if (parts === null) return false
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const [aheadHour, aheadMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || aheadHour > 23 || aheadMinute > 59) return false
  if (second < 60) return true
  // RFC 3339: a leap second is the last of the day in UTC.
  const offset = (aheadHour * 60 + aheadMinute) * (parts[4] === '-' ? -1 : 1)
  return (hour * 60 + minute - offset + 2 * 1440) % 1440 === 1439
}

const isDateTime = (text: string): boolean =>
  /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11))

const isDuration = (text: string): boolean =>
  /^P(?:\d+W|(?=[\dT])(?:\d+Y(?!\d+D))?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H(?!\d+S))?(?:\d+M)?(?:\d+S)?)?)$/.test(text)

const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64) return false
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  const quoted = local.length > 2 && /^"(?:[^"\\]|\\.)*"$/.test(local)
  return (quoted || isDotAtom(local)) && isMailDomain(domain)
}

const isDotAtom = (text: string): boolean => text.split('.').every((part) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(part))

const isMailDomain = (domain: string): boolean => {
  const literal = /^\[(.*)\]$/.exec(domain)?.[1]
  if (literal === undefined) return isHostname(domain)
  return literal.startsWith('IPv6:') ? isIPv6(literal.slice(5)) : isIPv4(literal)
}

const isHostname = (text: string): boolean => {
  if (text.length === 0 || text.length > 253) return false
  // Punycode labels would need the IDNA tables to judge; as names they are as good as any other.
  return text.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label))
}

const isUri = (text: string): boolean => {
  if (!/^[a-z][a-z\d+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/i.test(text)) return false
  if (/%(?![\da-f]{2})/i.test(text)) return false
  const authority = /^[^:]*:\/\/([^/?#]*)/.exec(text)?.[1]
  if (authority === undefined) return !/[[\]]/.test(text)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const user = authority.slice(0, Math.max(0, authority.length - host.length - 1))
  return !/[[\]]/.test(user) && /^(?:\[[\da-f:.]+\]|[^[\]:]*)(?::\d*)?$/i.test(host)
}

const isRegex = (text: string): boolean => {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}
