import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitationCompleteNotificationSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ApprovalBoard, openApprovalBoard } from '../helpers/approval-board.js'

type Action = 'accept' | 'decline' | 'cancel'
type Elicited = { readonly action: Action }
type Asked = {
  readonly mode?: string
  readonly url?: string
  readonly message: string
  readonly elicitationId?: string
}
type Kind = 'v1' | 'v2 legacy' | 'v2 modern'

let gateway: ApprovalBoard
const open = async (approval: object = {}, more: object = {}): Promise<void> => {
  const terms = { by: ['operator'], waitMs: 60_000, ...approval }
  gateway = await openApprovalBoard(undefined, {
    rules: [{ id: 'money', tools: ['refund'], effect: 'ask', approval: terms }],
    ...more,
  })
}
afterEach(() => gateway[Symbol.asyncDispose]())

const toText = (result: unknown) => {
  const { content, isError } = result as { content: { text: string }[]; isError?: boolean }
  return { text: content[0]!.text, isError: isError === true }
}

const openClient = async (
  kind: Kind,
  capability: { readonly form?: Record<string, never>; readonly url?: Record<string, never> },
  onAsked: (asked: Asked) => Elicited | Promise<Elicited>,
) => {
  const url = new URL(`${gateway.url}/mcp`)
  const requestInit = { headers: { authorization: `Bearer ${gateway.agent}` } }
  const capabilities = { elicitation: capability }
  const asked: Asked[] = []
  const completed: string[] = []
  const progress: (string | undefined)[] = []
  const elicited = (params: unknown) => {
    asked.push(params as Asked)
    return onAsked(params as Asked)
  }
  const onprogress = ({ message }: { readonly message?: string | undefined }): void => void progress.push(message)
  const common = { asked, completed, progress }
  if (kind === 'v1') {
    const client = new ClientV1({ name: 'v1', version: '1' }, { capabilities })
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicited(params))
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
      completed.push(params.elicitationId)
    })
    await client.connect(new TransportV1(url, { requestInit }) as Transport)
    const call = async (args: Record<string, unknown>) =>
      toText(await client.callTool({ name: 'refund', arguments: args }, undefined, { onprogress }))
    return { ...common, call, close: () => client.close() }
  }
  const mode = kind === 'v2 modern' ? 'auto' : 'legacy'
  const client = new ClientV2({ name: 'v2', version: '1' }, { capabilities, versionNegotiation: { mode } })
  client.setRequestHandler('elicitation/create', ({ params }) => elicited(params) as never)
  if (mode === 'legacy')
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      completed.push(params.elicitationId)
    })
  await client.connect(new TransportV2(url, { requestInit }))
  const call = async (args: Record<string, unknown>) =>
    toText(await client.callTool({ name: 'refund', arguments: args }, { onprogress }))
  return { ...common, call, close: () => client.close() }
}

const isWaiting = (message = ''): boolean => message.includes('waiting for approval by an operator')

/** As an operator does at the page: by their own key. */
const answer = async (decision: 'approve' | 'deny', key = gateway.ops): Promise<number> => {
  const { approvals } = (await gateway.api(gateway.ops, 'GET', '/api/v1/approvals')).json
  return (await gateway.api(key, 'POST', `/api/v1/approvals/${approvals[0].id}`, { decision })).status
}

describe.each<Kind>(['v1', 'v2 legacy', 'v2 modern'])('the page for a client of SDK %s', (kind) => {
  it('is where the client is sent; the call waits with progress and runs after the yes of an operator', async () => {
    await open()
    const client = await openClient(kind, { url: {} }, () => ({ action: 'accept' }))
    const calling = client.call({ amount: 250 })
    await vi.waitUntil(() => client.asked.length === 1 && client.progress.some(isWaiting), { timeout: 20_000 })
    const [question] = client.asked
    const [grant] = await gateway.board.gateway.approvals.list()
    expect(question).toMatchObject({ mode: 'url', url: `${gateway.url}/#/approvals/${grant!.id}` })
    expect(question!.message).toContain('refund')
    // That the client has opened it says nothing yet.
    expect(gateway.ran).toEqual([])
    expect(await answer('approve')).toBe(200)
    expect(await calling).toEqual({ text: 'refunded', isError: false })
    expect(gateway.ran).toEqual([{ amount: 250 }])
    if (kind === 'v2 modern') expect(question).not.toHaveProperty('elicitationId')
    else await vi.waitUntil(() => client.completed[0] === question!.elicitationId, { timeout: 20_000 })
    await client.close()
  })

  it('gives whoever has its address nothing: not the caller, not a browser without a key', async () => {
    await open()
    const client = await openClient(kind, { url: {} }, async ({ url = '' }) => {
      const { pathname } = new URL(url)
      expect(pathname).toBe('/')
      const id = url.split('/').at(-1)!
      expect((await gateway.ask('GET', `${gateway.url}/approve/${id}`)).status).toBe(404)
      expect((await gateway.decide(`${gateway.url}/approve/${id}`, { decision: 'once' })).status).toBe(404)
      expect(await answer('approve', gateway.agent)).toBe(403)
      expect((await gateway.ask('POST', `${gateway.url}/api/v1/approvals/${id}`)).status).toBe(401)
      expect(await answer('deny')).toBe(200)
      return { action: 'accept' }
    })
    const ended = await client.call({ amount: 250 })
    expect(ended).toMatchObject({ isError: true, text: expect.stringContaining('APPROVAL_DENIED') })
    expect(gateway.ran).toEqual([])
    await client.close()
  })

  it.each<Action>(['decline', 'cancel'])(
    'that nobody opens (%s) ends the call, and leaves the request open',
    async (action) => {
      await open()
      const client = await openClient(kind, { url: {} }, () => ({ action }))
      const ended = await client.call({ amount: 250 })
      expect(ended).toMatchObject({ isError: true, text: expect.stringContaining('APPROVAL_REQUIRED') })
      expect(await answer('approve')).toBe(200)
      expect(gateway.ran).toEqual([])
      expect(await client.call({ amount: 250 })).toMatchObject({ text: 'refunded' })
      await client.close()
    },
  )

  it('is not shown to clients that only fill in forms, nor where others could not reach it', async () => {
    await open({ waitMs: 1 })
    const formsOnly = await openClient(kind, { form: {} }, () => ({ action: 'accept' }))
    expect(await formsOnly.call({ amount: 250 })).toMatchObject({ isError: true })
    expect(formsOnly.asked).toEqual([])
    await formsOnly.close()
    await gateway[Symbol.asyncDispose]()
    // Others come by the proxy, and nobody said by which name.
    await open({ waitMs: 1 }, { server: { behindProxy: true } })
    const far = await openClient(kind, { url: {} }, () => ({ action: 'accept' }))
    expect(await far.call({ amount: 250 })).toMatchObject({ isError: true })
    expect(far.asked).toEqual([])
    await far.close()
  })

  it('is not shown where the caller may say it, and the client fills in forms', async () => {
    await open({ by: ['operator', 'caller'] })
    const client = await openClient(kind, { form: {}, url: {} }, () => ({
      ...{ action: 'accept' as const, content: { approve: true } },
    }))
    expect(await client.call({ amount: 250 })).toMatchObject({ text: 'refunded' })
    expect(client.asked[0]).not.toHaveProperty('url')
    await client.close()
  })
})

describe('the page for a legacy client that still thinks about it', () => {
  it('is taken back when the answer comes another way', async () => {
    await open()
    let asked = (): void => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const client = await openClient('v1', { url: {} }, () => {
      asked()
      return new Promise<never>(() => {})
    })
    const calling = client.call({ amount: 250 })
    await isAsked
    expect(await answer('approve')).toBe(200)
    expect(await calling).toEqual({ text: 'refunded', isError: false })
    await client.close()
  })
})
