import type { StoryClient, StoryResult } from '../helpers/clients/client.js'

/** What a story found out. The same in every cell of the matrix, or something between client and tool differs. */
export interface Outcome {
  readonly tools: readonly string[]
  readonly sum: StoryResult
  readonly echo: StoryResult
  readonly failed: StoryResult
  readonly invalid: boolean
  readonly unknown: number
  readonly progress: readonly number[]
  readonly done: StoryResult
  readonly cancelled: string
  readonly grown: StoryResult
}

export const expected: Outcome = {
  tools: ['add', 'crash', 'echo', 'fail', 'grow', 'hang', 'hung', 'pid', 'release', 'steps'],
  sum: { text: '42', isError: false },
  echo: { text: '{"text":"é 北京 😀","nested":{"list":[1,null]}}', isError: false },
  failed: { text: 'boom', isError: true },
  invalid: true,
  unknown: -32602,
  progress: [1, 2],
  done: { text: 'done', isError: false },
  cancelled: 'cancelled',
  grown: { text: 'grown', isError: false },
}

/**
 * List, call, error, progress, cancel, change of list: told through any client about the fixture tools of one namespace.
 * `mark` tells the teller apart from others who tell theirs about the same server at the same time.
 */
export const tellStory = async (client: StoryClient, namespace: string, mark: string): Promise<Outcome> => {
  const named = (tool: string) => `${namespace}.${tool}`
  const call = (tool: string, args = {}) => client.call(named(tool), args)
  const progress: number[] = []
  return {
    tools: (await namesOf(client, namespace)).filter((name) => !name.startsWith('extra')),
    sum: await call('add', { a: 19, b: 23 }),
    echo: await call('echo', { text: 'é 北京 😀', nested: { list: [1, null] } }),
    failed: await call('fail'),
    invalid: (await call('add', { a: 'no number' })).isError,
    unknown: await codeOf(call('no_such_tool')),
    done: await tellOfSteps(client, named, mark, progress),
    progress,
    cancelled: await tellOfCancelling(client, named, mark),
    grown: await tellOfGrowing(client, namespace, mark),
  }
}

const namesOf = async (client: StoryClient, namespace: string): Promise<string[]> =>
  (await client.list())
    .filter((name) => name.startsWith(`${namespace}.`))
    .map((name) => name.slice(namespace.length + 1))
    .sort()

/** The tool ends when its last step was heard of. */
const tellOfSteps = (client: StoryClient, named: (tool: string) => string, key: string, heard: number[]) =>
  client.call(
    named('steps'),
    { key },
    {
      onProgress: (value) => {
        heard.push(value)
        if (value === 2) void client.call(named('release'), { key })
      },
    },
  )

/** A call is left once its server says that it runs; then the server is asked until it says that it ended. */
const tellOfCancelling = async (client: StoryClient, named: (tool: string) => string, key: string): Promise<string> => {
  const leaving = new AbortController()
  const hanging = client.call(named('hang'), { key }, { signal: leaving.signal })
  const ended = hanging.then(
    () => 'answered',
    () => 'left',
  )
  const state = async () => (await client.call(named('hung'), { key })).text
  while ((await state()) !== 'running');
  leaving.abort()
  if ((await ended) !== 'left') return 'was answered'
  let now = await state()
  while (now === 'running') now = await state()
  return now
}

const tellOfGrowing = async (client: StoryClient, namespace: string, mark: string): Promise<StoryResult> => {
  const name = `extra_${mark}`
  let changed = client.changed()
  await client.call(`${namespace}.grow`, { name })
  do {
    await changed
    changed = client.changed()
  } while (!(await namesOf(client, namespace)).includes(name))
  const { text, isError } = await client.call(`${namespace}.${name}`, {})
  return { text: text.replace(` ${name}`, ''), isError }
}

const codeOf = (asked: Promise<unknown>): Promise<number> =>
  asked.then(
    () => 0,
    (error: { readonly code?: number }) => error.code ?? Number.NaN,
  )
