import { boardCommand, startBoard } from '../helpers/fixture-servers.js'

/** The era that a server speaks where it speaks one; a server of both is spoken to as its link can. */
export const eras = {
  stdio_legacy: 'legacy',
  stdio_modern: 'modern',
  http_legacy: 'legacy',
  http_modern: 'modern',
  stdio_dual: undefined,
  http_dual: undefined,
} as const
export type SourceName = keyof typeof eras
export const sourceNames = Object.keys(eras) as SourceName[]

export type Entry =
  | { readonly type: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly type: 'http'; readonly url: string }

/** A server of each era over each transport, as entries of a configuration. */
export const startSources = async () => {
  const [legacy, modern, dual] = await Promise.all([startBoard('legacy'), startBoard('modern'), startBoard('dual')])
  const entries: Record<SourceName, Entry> = {
    stdio_legacy: { type: 'stdio', ...boardCommand('legacy') },
    stdio_modern: { type: 'stdio', ...boardCommand('modern') },
    http_legacy: { type: 'http', url: legacy.url },
    http_modern: { type: 'http', url: modern.url },
    stdio_dual: { type: 'stdio', ...boardCommand('dual') },
    http_dual: { type: 'http', url: dual.url },
  }
  return { entries, stop: () => Promise.all([legacy.stop(), modern.stop(), dual.stop()]) }
}
