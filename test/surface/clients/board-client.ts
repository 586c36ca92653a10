/** What the story needs of a client that can be asked, whoever wrote it and whichever era it speaks. */
export interface BoardClient {
  call(name: string, args?: Record<string, unknown>, options?: BoardCall): Promise<string>
  prompts(): Promise<readonly string[]>
  read(uri: string): Promise<string>
  /** Follows a resource; resolves when the server has agreed. */
  follow(uri: string): Promise<void>
  /** Resolves at the next update of a followed resource that comes after this was asked. */
  updated(): Promise<void>
  /** Resolves at the next announcement of changed prompts that comes after this was asked. */
  promptsChanged(): Promise<void>
  close(): Promise<void>
}

export interface BoardCall {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: number) => void
}

/** What every client of the story can do, and what it answers. */
export const abilities = { elicitation: { form: {} }, sampling: {}, roots: {} }
export const answers = {
  elicitation: { action: 'accept' as const, content: { name: 'Ada' } },
  sampling: { role: 'assistant' as const, model: 'story', content: { type: 'text' as const, text: 'blue' } },
  roots: { roots: [{ uri: 'file:///home/ada' }] },
}

/** The text of a result or of a resource. */
export const textOf = (parts: unknown): string =>
  (parts as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('')
