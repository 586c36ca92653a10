export interface Answered {
  readonly result: any
  readonly replica: string | undefined
}
export interface LegacyClient {
  readonly session: string
  ask(method: string, params?: object, signal?: AbortSignal): Promise<Answered>
  send(message: object): Promise<{ readonly status: number; readonly text: string }>
}
export interface LoadClient {
  modern(method: string, params?: object, signal?: AbortSignal): Promise<Answered>
  legacy(capabilities?: object): Promise<LegacyClient>
  inSession(session: string, method: string, params?: object, signal?: AbortSignal): Promise<Answered>
  rest(method: string, where: string, value?: unknown): Promise<{ readonly status: number; readonly text: string }>
  close(): void
}
export interface LoadReport {
  readonly sent: number
  readonly failed: readonly { readonly at: number; readonly code: string; readonly text: string }[]
  readonly p50: number
  readonly p99: number
  readonly longest: number
}
export const createClient: (
  url: string,
  options?: { readonly key?: string | undefined; readonly path?: string | undefined },
) => LoadClient
export interface Load {
  inFlightUntil(happened: Promise<unknown>): Promise<number>
  sent(): number
  stop(): void
  readonly done: Promise<LoadReport>
}
export const startLoad: (options: {
  readonly perSecond: number
  readonly count?: number | undefined
  readonly ask: (index: number) => Promise<unknown>
}) => Load
