/** What a story needs of an MCP client, whoever wrote it and whichever era it speaks. */
export interface StoryClient {
  list(): Promise<readonly string[]>
  /** Rejects with `{ code }` where the server answered with a JSON-RPC error. */
  call(name: string, args?: Record<string, unknown>, options?: StoryCall): Promise<StoryResult>
  /** Resolves at the next announcement of a changed list that comes after this was asked. */
  changed(): Promise<void>
  close(): Promise<void>
}

/** One that can be asked, and follows what a server offers besides tools. */
export interface BoardClient extends StoryClient {
  prompts(): Promise<readonly string[]>
  read(uri: string): Promise<string>
  /** Follows a resource; resolves when the server has agreed. */
  follow(uri: string): Promise<void>
  /** Resolves at the next update of this resource that comes after this was asked. */
  updated(uri: string): Promise<void>
  /** Resolves at the next announcement of changed prompts that comes after this was asked. */
  promptsChanged(): Promise<void>
}

export interface StoryCall {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: number) => void
}

export interface StoryResult {
  readonly text: string
  readonly isError: boolean
}

/** What every client of SDKs can do, and what it answers. */
export const abilities = { elicitation: { form: {} }, sampling: {}, roots: {} }
export const answers = {
  elicitation: { action: 'accept' as const, content: { name: 'Ada' } },
  sampling: { role: 'assistant' as const, model: 'story', content: { type: 'text' as const, text: 'blue' } },
  roots: { roots: [{ uri: 'file:///home/ada' }] },
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

/** A bell for each name. */
export class Bells {
  readonly #bells = new Map<string, Bell>()

  of(name: string): Bell {
    const bell = this.#bells.get(name) ?? new Bell()
    this.#bells.set(name, bell)
    return bell
  }
}

/** The text of a result or of a resource. */
export const textOf = (parts: unknown): string =>
  (parts as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('')

/** The part of a result that stories look at. */
export const toStoryResult = (result: { readonly content?: unknown; readonly isError?: unknown }): StoryResult => ({
  text: textOf(result.content),
  isError: result.isError === true,
})

/** As the SDKs take them. */
export const toSdkOptions = ({ signal, onProgress }: StoryCall = {}) => ({
  ...(signal ? { signal } : {}),
  ...(onProgress ? { onprogress: ({ progress }: { readonly progress: number }) => onProgress(progress) } : {}),
})
