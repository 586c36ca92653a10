/** Something a converted schema no longer says. */
export interface Loss {
  /** Where, as a JSON pointer into the schema that was given (through references where they were followed). */
  readonly path: string
  readonly keyword: string
  readonly reason: string
}

const mostLosses = 200

/** Collects losses; a schema that loses everywhere does not fill the memory. */
export class Losses {
  readonly #list: Loss[] = []

  add(path: string, keyword: string, reason: string): void {
    if (this.#list.length < mostLosses) this.#list.push({ path, keyword, reason })
  }

  addAll(losses: readonly Loss[]): void {
    for (const { path, keyword, reason } of losses) this.add(path, keyword, reason)
  }

  get list(): readonly Loss[] {
    return this.#list
  }
}
