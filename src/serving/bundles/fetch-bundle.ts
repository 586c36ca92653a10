import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { bundleLimits } from '../../bundles/limits.js'
import { maskUrl } from '../../config/secrets.js'
import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import { type BothWords, both } from '../../model/both-words.js'
import { createGuardedFetch, type FetchedAnswer } from '../../sources/guarded-fetch.js'
import { say } from '../locale.js'

export interface FetchBundleOptions {
  /** Addresses that may be private: those that a person named. Whatever they lead on to has to be public. */
  readonly isTrusted: (url: URL) => boolean
  /** True where its hash is known: then it does not matter who carries it. */
  readonly isPinned: boolean
  readonly signal?: AbortSignal | undefined
}

const mostRedirects = 5
const timeoutMs = 300_000

/** The bytes of a bundle that somebody named: a file, or an address. */
export const fetchBundle = async (where: string, options: FetchBundleOptions): Promise<Buffer> =>
  isAddress(where) ? download(new URL(where), options) : readBundleFile(where)

export const isAddress = (where: string): boolean => /^https?:\/\//i.test(where) && URL.canParse(where)

const readBundleFile = async (where: string): Promise<Buffer> => {
  const path = resolve(where)
  try {
    const handle = await open(path)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) throw unreadable(path, both('it is no regular file', '不是普通文件'))
      if (stats.size > bundleLimits.fileBytes)
        throw unreadable(
          path,
          both(
            `it has ${stats.size} bytes, and ${bundleLimits.fileBytes} are the most`,
            `它有 ${stats.size} 字节，最多 ${bundleLimits.fileBytes}`,
          ),
        )
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (isGatewayError(error)) throw error
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw unreadable(
      path,
      isMissing ? both('there is no such file', '没有这个文件') : both(messageOf(error), messageOf(error)),
      error,
    )
  }
}

const unreadable = (path: string, why: BothWords, cause?: unknown): GatewayError =>
  told(
    'CONFIG_UNREADABLE',
    both(`The bundle ${path} cannot be read: ${why.en}.`, `扩展包 ${path} 无法读取：${why.zh}。`),
    cause,
  )

const told = (code: 'CONFIG_UNREADABLE' | 'SOURCE_UNAVAILABLE', { en, zh }: BothWords, cause?: unknown): GatewayError =>
  new GatewayError(code, en, { cause, details: { zh } })

/** Releases are often kept elsewhere than they are named; each step on the way is checked as the first one was. */
const download = async (first: URL, { isTrusted, isPinned, signal }: FetchBundleOptions): Promise<Buffer> => {
  const fetch = createGuardedFetch({
    isTrusted,
    timeoutMs,
    hint: say('Download it yourself and install the file.', '请自行下载后安装该文件。'),
  })
  const ends = AbortSignal.timeout(timeoutMs)
  try {
    let url = first
    for (let step = 0; step <= mostRedirects; step++) {
      assertSafe(url, isPinned)
      const answer = await fetch(url, {
        headers: { accept: 'application/octet-stream, application/zip, */*' },
        signal: signal ? AbortSignal.any([signal, ends]) : ends,
        maxBytes: bundleLimits.fileBytes,
      })
      if (answer.status === 200) return answer.body
      url = nextOf(answer, url)
    }
    throw failed(first, both(`it leads on more than ${mostRedirects} times`, `重定向超过 ${mostRedirects} 次`))
  } finally {
    await fetch.close()
  }
}

const nextOf = ({ status, headers }: FetchedAnswer, url: URL): URL => {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.location : undefined
  if (typeof location !== 'string' || !URL.canParse(location, url.href))
    throw failed(url, both(`it was answered with ${status}, not 200`, `应答为 ${status}，不是 200`))
  return new URL(location, url.href)
}

/** Without a hash, whoever stands between could hand us another program. */
const assertSafe = (url: URL, isPinned: boolean): void => {
  if (isPinned || url.protocol === 'https:' || loopback.test(url.hostname)) return
  throw failed(
    url,
    both(
      'it would come over plain HTTP, where anybody can change it; use https, or give its --sha256',
      '它会经由明文 HTTP 传来，途中任何人都能改动；请使用 https，或给出 --sha256',
    ),
  )
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const failed = (url: URL, why: BothWords): GatewayError =>
  told(
    'SOURCE_UNAVAILABLE',
    both(
      `The bundle at ${maskUrl(url.href)} could not be fetched: ${why.en}.`,
      `无法获取 ${maskUrl(url.href)} 处的扩展包：${why.zh}。`,
    ),
  )
