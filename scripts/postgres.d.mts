export type HowToEnd = 'smart' | 'fast' | 'immediate'

export interface PostgresServer {
  readonly folder: string
  readonly port: number
  /** Of the server's first process, while it runs. */
  readonly pid: number | undefined
  url(database?: string, user?: string): string
  log(): string
  start(): Promise<void>
  halt(how?: HowToEnd): Promise<void>
  restart(how?: HowToEnd): Promise<void>
  stop(how?: HowToEnd): Promise<void>
  createDatabase(name?: string): Promise<string>
}

export interface PostgresOptions {
  readonly settings?: Readonly<Record<string, string | number>> | undefined
  readonly isDurable?: boolean | undefined
  readonly port?: number | undefined
}

export const notInstalled: string
export const findPostgres: () => string | undefined
export const startPostgres: (options?: PostgresOptions) => Promise<PostgresServer>
export const createDatabase: (url: string, name: string) => Promise<void>
export const sharedPostgres: (
  folder: string,
  whilePid: number,
) => Promise<{ readonly url: string; readonly pid: number }>
