import { type IncomingMessage, request } from 'node:http'

/** A page that a browser shows: where it is, and what stands on it. */
export interface ShownPage {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface HeadlessBrowser {
  /** Opens an address and follows redirects; stops in front of one that `stopAt` takes, which is then the page's url. */
  open(url: string, stopAt?: (url: string) => boolean): Promise<ShownPage>
  /** Sends the first form of a page, with these fields besides the hidden ones; `button` names the one that is pressed. */
  submit(
    page: ShownPage,
    fields?: Readonly<Record<string, string>>,
    options?: { readonly button?: string | undefined; readonly stopAt?: ((url: string) => boolean) | undefined },
  ): Promise<ShownPage>
  /** The cookies for an origin, by name. */
  cookies(origin: string): ReadonlyMap<string, string>
}

const mostRedirects = 20

/**
 * Cookies, redirects and forms as browsers do them, and the `Sec-Fetch-*` headers that they send. Nothing is drawn and no script
 * runs: our sign-in pages have none.
 */
export const createBrowser = (): HeadlessBrowser => {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (origin: string): Map<string, string> => {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const remember = (origin: string, headers: Headers): void => {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';')
      const [name = '', ...value] = pair.split('=')
      const isOver = attributes.some(
        (each) => /^\s*max-age=0\s*$/i.test(each) || /^\s*expires=thu, 01 jan 1970/i.test(each),
      )
      if (isOver) jarOf(origin).delete(name.trim())
      else jarOf(origin).set(name.trim(), value.join('='))
    }
  }
  const go = async (
    start: { url: string; method: string; body?: string; from?: string | undefined },
    stopAt: (url: string) => boolean,
  ): Promise<ShownPage> => {
    let { url, method, body } = start
    let from = start.from
    for (let count = 0; count < mostRedirects; count++) {
      const { origin } = new URL(url)
      const cookie = [...jarOf(origin)].map(([name, value]) => `${name}=${value}`).join('; ')
      const site = from === undefined ? 'none' : from === origin ? 'same-origin' : 'cross-site'
      const response = await ask(url, {
        method,
        headers: {
          Accept: 'text/html',
          'Sec-Fetch-Mode': 'navigate',
          'Sec-Fetch-Dest': 'document',
          'Sec-Fetch-Site': site,
          ...(cookie && { Cookie: cookie }),
          ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded', Origin: from ?? origin }),
        },
        body,
      })
      remember(origin, response.headers)
      const location = response.headers.get('location')
      const { text } = response
      if (location === null || response.status < 300 || response.status > 399)
        return { url, status: response.status, headers: response.headers, text }
      const next = new URL(location, url).href
      if (stopAt(next)) return { url: next, status: response.status, headers: response.headers, text: '' }
      from ??= origin
      // Once another site was on the way, the rest of it is of another site too.
      if (new URL(next).origin !== origin) from = origin
      if (response.status !== 307 && response.status !== 308) {
        method = 'GET'
        body = undefined
      }
      url = next
    }
    throw new Error(`More than ${mostRedirects} redirects, the last to ${url.split('?', 1)[0]}`)
  }
  return {
    open: (url, stopAt = () => false) => go({ url, method: 'GET' }, stopAt),
    submit: (page, fields = {}, { button, stopAt = () => false } = {}) => {
      const form = /<form\b([^>]*)>([\s\S]*?)<\/form>/i.exec(page.text)
      if (!form) throw new Error(`There is no form on ${page.url.split('?', 1)[0]}: ${page.text.slice(0, 500)}`)
      const [, attributes = '', inner = ''] = form
      const values = new URLSearchParams()
      for (const [input] of inner.matchAll(/<input\b[^>]*>/gi))
        if (attribute(input, 'type') === 'hidden')
          values.set(attribute(input, 'name') ?? '', attribute(input, 'value') ?? '')
      for (const [name, value] of Object.entries(fields)) values.set(name, value)
      const pressed = [...inner.matchAll(/<button\b[^>]*>/gi)].map(([each]) => each)
      const wanted = button === undefined ? pressed[0] : pressed.find((each) => attribute(each, 'value') === button)
      if (button !== undefined && !wanted) throw new Error(`There is no button ${button} on the page.`)
      const name = wanted && attribute(wanted, 'name')
      if (wanted && name) values.set(name, attribute(wanted, 'value') ?? '')
      const action = new URL(attribute(attributes, 'action') ?? '', page.url).href
      const method = (attribute(attributes, 'method') ?? 'get').toUpperCase()
      const from = new URL(page.url).origin
      return method === 'POST'
        ? go({ url: action, method, body: values.toString(), from }, stopAt)
        : go({ url: `${action.split('?', 1)[0]}?${values}`, method, from }, stopAt)
    },
    cookies: (origin) => jarOf(origin),
  }
}

/** Not by `fetch`, which says of itself that it is no navigation, whatever headers it is given. */
const ask = async (
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: string | undefined },
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = { ...headers, ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }) }
    request(url, { method, headers: sent }, resolve).on('error', reject).end(body)
  })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const received = new Headers()
  for (let index = 0; index < response.rawHeaders.length; index += 2)
    received.append(response.rawHeaders[index]!, response.rawHeaders[index + 1]!)
  return { status: response.statusCode!, headers: received, text: Buffer.concat(chunks).toString() }
}

const attribute = (tag: string, name: string): string | undefined => {
  const [, quoted, single] = new RegExp(`\\b${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag) ?? []
  const value = quoted ?? single
  return value
    ?.replaceAll(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
