import type { BoardClient, StoryClient, StoryResult } from '../helpers/clients/client.js'

/** What a story found out. The same in every cell of the matrix, or something between client and tool differs. */
const ofTools = {
  tools: [
    ...['add', 'ask_model', 'ask_name', 'ask_roots', 'bump', 'crash', 'echo', 'fail', 'grow', 'grow_prompt', 'hang'],
    ...['hung', 'pid', 'release', 'steps'],
  ],
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
const ofTheRest = {
  elicitation: 'accept: Ada',
  sampling: 'sampled: blue',
  roots: 'roots: file:///home/ada',
  prompt: true,
  read: true,
  updated: 'told',
  grownPrompts: 'told',
}

const isBoardClient = (client: StoryClient): client is BoardClient => 'prompts' in client

export const expectedOf = (client: StoryClient): object =>
  isBoardClient(client) ? { ...ofTools, ...ofTheRest } : ofTools

/**
 * List, call, error, progress, cancel, change of list: told through any client about the fixture of one namespace; and by those
 * that can, being asked, prompts, resources and following them. `mark` tells the teller apart from others who tell theirs about
 * the same server.
 */
export const tellStory = async (client: StoryClient, namespace: string, mark: string): Promise<object> => {
  const tools = await tellOfTools(client, namespace, mark)
  return isBoardClient(client) ? { ...tools, ...(await tellOfTheRest(client, namespace, mark)) } : tools
}

// A server of both eras has tools of its own beside.
const isCommon = (name: string): boolean => !/^(extra|push_name$|modern_only$)/.test(name)

const tellOfTools = async (client: StoryClient, namespace: string, mark: string): Promise<typeof ofTools> => {
  const named = (tool: string) => `${namespace}.${tool}`
  const call = (tool: string, args = {}) => client.call(named(tool), args)
  const progress: number[] = []
  return {
    tools: (await namesOf(client, namespace)).filter(isCommon),
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

const tellOfTheRest = async (client: BoardClient, namespace: string, mark: string): Promise<typeof ofTheRest> => {
  const named = (tool: string) => `${namespace}.${tool}`
  // Each source counts in a resource of the same URI, so that each is known by its carried name.
  const uri = `pegboard://${namespace}/board://counter`
  return {
    elicitation: (await client.call(named('ask_name'))).text,
    sampling: (await client.call(named('ask_model'))).text,
    roots: (await client.call(named('ask_roots'))).text,
    prompt: (await client.prompts()).includes(named('hello')),
    read: /^\d+$/.test(await client.read(uri)),
    updated: await tellOfUpdates(client, named('bump'), uri),
    grownPrompts: await tellOfGrowingPrompts(client, named, mark),
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

/** The source agrees to a subscription in its own time, so the counter is bumped until somebody hears of it. */
const tellOfUpdates = async (client: BoardClient, bump: string, uri: string): Promise<string> => {
  let told = false
  const heard = client.updated(uri).then(() => {
    told = true
  })
  await client.follow(uri)
  while (!told) await client.call(bump)
  await heard
  return 'told'
}

const tellOfGrowingPrompts = async (client: BoardClient, named: (tool: string) => string, key: string) => {
  let changed = client.promptsChanged()
  await client.call(named('grow_prompt'), { key })
  do {
    await changed
    changed = client.promptsChanged()
  } while (!(await client.prompts()).includes(named(`grown_${key}`)))
  return 'told'
}

const codeOf = (asked: Promise<unknown>): Promise<number> =>
  asked.then(
    () => 0,
    (error: { readonly code?: number }) => error.code ?? Number.NaN,
  )
