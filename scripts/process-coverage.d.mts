/** Where a statement begins, and whether anybody ran it. */
export interface Statement {
  readonly line: number
  readonly column: number
  ran: boolean
}

export declare const addProcesses: (files: ReadonlyMap<string, readonly Statement[]>, folder: string) => void
