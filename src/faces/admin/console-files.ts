import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sendBody } from '../../http/answer.js'
import { notFound } from '../../http/http-error.js'
import { pageHeaders } from '../../http/page-headers.js'
import type { HttpExchange, Route } from '../../http/route.js'

interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  readonly zipped: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * The console's files, read once: a page that lies in memory cannot be reached past its folder. Not before somebody asks:
 * zipping them would hold up every start, and most gateways never show their page. It tells nothing without a key, so
 * anybody may load it. Empty where the package was built without it.
 */
export const consoleRoutes = (folder: string): readonly Route[] => {
  if (!existsSync(join(folder, indexName))) return []
  let files: ReadonlyMap<string, PageFile> | undefined
  const fileOf = (name: string): PageFile => {
    files ??= readFiles(folder)
    const file = files.get(name)
    if (!file) throw notFound('There is no such file; reload the page.')
    return file
  }
  return [
    {
      method: 'GET',
      path: '/',
      right: 'open',
      page: true,
      ownHeaders: true,
      handle: (exchange) => send(exchange, fileOf(indexName)),
    },
    {
      // The address that people are told: what is theirs here.
      method: 'GET',
      path: '/me',
      right: 'open',
      page: true,
      ownHeaders: true,
      handle: ({ response }) => void response.writeHead(303, { Location: './#/me', 'Cache-Control': 'no-store' }).end(),
    },
    {
      method: 'GET',
      path: '/assets/:file',
      right: 'open',
      ownHeaders: true,
      handle: (exchange) => send(exchange, fileOf(`assets/${exchange.params.file}`)),
    },
  ]
}

// Their names hold a hash of their content.
const forEver = 'public, max-age=31536000, immutable'

const indexName = 'index.html'

const readFiles = (folder: string): ReadonlyMap<string, PageFile> => {
  const files = new Map<string, PageFile>()
  const add = (name: string, caching: string): void => {
    const file = readPage(join(folder, name), caching)
    if (file) files.set(name, file)
  }
  add(indexName, 'no-cache')
  for (const name of listed(join(folder, 'assets'))) add(`assets/${name}`, forEver)
  return files
}

const listed = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const readPage = (path: string, caching: string): PageFile | undefined => {
  const type = types[extname(path)]
  if (type === undefined) return undefined
  try {
    const bytes = readFileSync(path)
    const headers = { ...pageHeaders, 'Cache-Control': caching, Vary: 'Accept-Encoding' }
    return { type, bytes, zipped: gzipSync(bytes, { level: 9 }), headers }
  } catch {
    return undefined
  }
}

const send = ({ request, response }: HttpExchange, { type, bytes, zipped, headers }: PageFile): void => {
  const zips = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (zips) sendBody(response, 200, type, zipped, { ...headers, 'Content-Encoding': 'gzip' })
  else sendBody(response, 200, type, bytes, headers)
}
