import type { BoardClient } from './clients/board-client.js'

/** What a story found out: the same in every cell, or something between client and server got lost. */
export const expected = {
  elicitation: 'accept: Ada',
  sampling: 'sampled: blue',
  roots: 'roots: file:///home/ada',
  progress: [1, 2],
  cancelled: 'cancelled',
  prompt: true,
  read: true,
  updated: 'told',
  grown: 'told',
}

/** Elicitation, sampling, roots, progress, cancellation, subscription and changed lists, about one source. */
export const tellStory = async (client: BoardClient, namespace: string, mark: string): Promise<typeof expected> => {
  const named = (tool: string) => `${namespace}.${tool}`
  // Each source counts in a resource of the same URI, so that each is known by its carried name.
  const uri = `pegboard://${namespace}/board://counter`
  const elicitation = await client.call(named('ask_name'))
  const sampling = await client.call(named('ask_model'))
  const roots = await client.call(named('ask_roots'))
  return {
    elicitation,
    sampling,
    roots,
    progress: await tellOfProgress(client, named, mark),
    cancelled: await tellOfCancelling(client, named, mark),
    prompt: (await client.prompts()).includes(named('hello')),
    read: /^\d+$/.test(await client.read(uri)),
    updated: await tellOfUpdates(client, named('bump'), uri),
    grown: await tellOfGrowing(client, named, mark),
  }
}

const tellOfProgress = async (client: BoardClient, named: (tool: string) => string, key: string): Promise<number[]> => {
  const heard: number[] = []
  await new Promise<void>((resolve, reject) => {
    const onProgress = (value: number): void => {
      heard.push(value)
      if (heard.length === 2) void client.call(named('release'), { key }).catch(reject)
    }
    client.call(named('steps'), { key }, { onProgress }).then(() => resolve(), reject)
  })
  return heard
}

const tellOfCancelling = async (client: BoardClient, named: (tool: string) => string, key: string): Promise<string> => {
  const leaving = new AbortController()
  const ended = client.call(named('hang'), { key }, { signal: leaving.signal }).catch(() => 'left')
  const state = () => client.call(named('hung'), { key })
  while ((await state()) !== 'running');
  leaving.abort()
  await ended
  let now = await state()
  while (now === 'running') now = await state()
  return now
}

/** The source agrees to a subscription in its own time, so the counter is bumped until somebody hears of it. */
const tellOfUpdates = async (client: BoardClient, bump: string, uri: string): Promise<string> => {
  let told = false
  const heard = client.updated().then(() => {
    told = true
  })
  await client.follow(uri)
  while (!told) await client.call(bump)
  await heard
  return 'told'
}

const tellOfGrowing = async (client: BoardClient, named: (tool: string) => string, key: string): Promise<string> => {
  let changed = client.promptsChanged()
  await client.call(named('grow'), { key })
  do {
    await changed
    changed = client.promptsChanged()
  } while (!(await client.prompts()).includes(named(`grown_${key}`)))
  return 'told'
}
