/** What a story needs of an MCP client, whoever wrote it and whichever era it speaks. */
export interface StoryClient {
  list(): Promise<readonly string[]>
  /** Rejects with `{ code }` where the server answered with a JSON-RPC error. */
  call(name: string, args: Record<string, unknown>, options?: StoryCall): Promise<StoryResult>
  /** Resolves at the next announcement of a changed list that comes after this was asked. */
  changed(): Promise<void>
  close(): Promise<void>
}

export interface StoryCall {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: number) => void
}

export interface StoryResult {
  readonly text: string
  readonly isError: boolean
}

/** One moment that many may wait for, again and again. */
export class Bell {
  #ring: () => void = () => {}
  #next = this.#fresh()

  /** The next ring. */
  heard(): Promise<void> {
    return this.#next
  }

  readonly ring = (): void => {
    const ring = this.#ring
    this.#next = this.#fresh()
    ring()
  }

  #fresh(): Promise<void> {
    return new Promise((resolve) => {
      this.#ring = resolve
    })
  }
}

/** The part of a result that stories look at. */
export const toStoryResult = (result: { readonly content?: unknown; readonly isError?: unknown }): StoryResult => ({
  text: (result.content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join(''),
  isError: result.isError === true,
})
