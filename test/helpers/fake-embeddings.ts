import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the service behaves: answer as it should, or one of the ways it may not. */
export type FakeMode = 'answer' | 'refuse' | 'fail' | 'garbage' | 'short' | 'uneven' | 'flood' | 'hang'

export interface FakeRequest {
  readonly authorization: string | undefined
  readonly body: { readonly model: string; readonly input: readonly string[] }
  readonly input: readonly string[]
}

/** The other side of the embeddings API: words hashed into 64 dimensions, a few synonyms sharing theirs. */
export interface FakeEmbeddings {
  readonly url: string
  mode: FakeMode
  readonly requests: readonly FakeRequest[]
  reset(): void
  nextRequest(): Promise<void>
  close(): Promise<void>
}

const sameMeaning: Readonly<Record<string, string>> = { feline: 'cat', kitten: 'cat', automobile: 'car', sedan: 'car' }

export const hashEmbedding = (text: string): number[] => {
  const vector = new Array<number>(64).fill(0)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7
    for (const character of sameMeaning[word] ?? word) hash = (hash * 31 + character.codePointAt(0)!) % 2_147_483_647
    vector[hash % 64]! += hash % 2 === 0 ? 1 : -1
  }
  return vector
}

export const startFakeEmbeddings = async (): Promise<FakeEmbeddings> => {
  const requests: FakeRequest[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as FakeRequest['body']
    requests.push({ authorization: incoming.headers.authorization, body, input: body.input })
    server.emit('asked')
    const answer = answers[fake.mode](body.input)
    if (answer) outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const fake = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    mode: 'answer' as FakeMode,
    requests,
    reset: () => void requests.splice(0),
    nextRequest: async () => void (await once(server, 'asked')),
    close: async () => {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
  return fake
}

type Reply = { readonly status: number; readonly text: string } | undefined

const vectors = (input: readonly string[]): object[] =>
  input.map((text, index) => ({ index, embedding: hashEmbedding(text) }))

const answers: Readonly<Record<FakeMode, (input: readonly string[]) => Reply>> = {
  // In reverse: the index says which text a vector belongs to, not its place.
  answer: (input) => ({ status: 200, text: JSON.stringify({ data: vectors(input).reverse() }) }),
  refuse: () => ({ status: 401, text: '{"error":"bad key"}' }),
  fail: () => ({ status: 500, text: 'oops' }),
  garbage: () => ({ status: 200, text: '<html>' }),
  short: (input) => ({ status: 200, text: JSON.stringify({ data: vectors(input).slice(1) }) }),
  uneven: (input) => ({
    status: 200,
    text: JSON.stringify({ data: input.map((_, index) => ({ index, embedding: new Array(index + 1).fill(1) })) }),
  }),
  flood: () => ({ status: 200, text: ' '.repeat(1_000_000) }),
  hang: () => undefined,
}
