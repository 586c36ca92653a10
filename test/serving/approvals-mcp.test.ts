import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CallRule } from '../../src/policy/call-rules.js'
import { compileRules } from '../../src/policy/rules.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { openRunning, type Running } from './open-running.js'

let running: Running
let ran: unknown[]
let agent: string
let ops: { readonly id: string }
beforeEach(async () => {
  running = await openRunning({ auth: { required: true } })
  ran = []
  const { gateway, listener } = running.board
  gateway.register(
    defineTool({
      name: 'refund',
      input: { type: 'object', properties: { amount: { type: 'number' } } },
      handler: (args) => {
        ran.push(args)
        return 'refunded'
      },
    }),
  )
  ops = { id: `key:${(await listener!.keys.create({ name: 'ops', role: 'operator' })).record.id}` }
  agent = (await listener!.keys.create({ name: 'agent', role: 'caller' })).key
})
afterEach(() => running[Symbol.asyncDispose]())

const askAbout = (approval: CallRule['approval']): void =>
  running.board.gateway.policy.update({
    calls: compileRules({ board: [{ id: 'money', tools: ['refund'], effect: 'ask', approval }] }),
  })

type Elicited = { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Record<string, boolean> }

interface Asked {
  readonly questions: string[]
  readonly progress: (string | undefined)[]
  call(args: Record<string, unknown>): Promise<{ readonly text: string; readonly isError: boolean }>
  close(): Promise<void>
}

const toText = (result: unknown) => {
  const { content, isError } = result as { content: { text: string }[]; isError?: boolean }
  return { text: content[0]!.text, isError: isError === true }
}

const openClient = async (kind: 'v1' | 'v2 legacy' | 'v2 modern', answer: Elicited | undefined): Promise<Asked> => {
  const url = new URL(`${running.board.listener!.listensAt}/mcp`)
  const requestInit = { headers: { authorization: `Bearer ${agent}` } }
  const capabilities = answer ? { elicitation: { form: {} } } : {}
  const questions: string[] = []
  const progress: (string | undefined)[] = []
  const elicited = (params: { readonly message: string }) => {
    questions.push(params.message)
    return answer!
  }
  const onprogress = ({ message }: { readonly message?: string | undefined }): void => void progress.push(message)
  if (kind === 'v1') {
    const client = new ClientV1({ name: 'v1', version: '1' }, { capabilities })
    if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicited(params))
    await client.connect(new TransportV1(url, { requestInit }) as Transport)
    return {
      questions,
      progress,
      call: async (args) =>
        toText(await client.callTool({ name: 'refund', arguments: args }, undefined, { onprogress })),
      close: () => client.close(),
    }
  }
  const mode = kind === 'v2 modern' ? 'auto' : 'legacy'
  const client = new ClientV2({ name: 'v2', version: '1' }, { capabilities, versionNegotiation: { mode } })
  if (answer) client.setRequestHandler('elicitation/create', ({ params }) => elicited(params as { message: string }))
  await client.connect(new TransportV2(url, { requestInit }))
  return {
    questions,
    progress,
    call: async (args) => toText(await client.callTool({ name: 'refund', arguments: args }, { onprogress })),
    close: () => client.close(),
  }
}

describe.each(['v1', 'v2 legacy', 'v2 modern'] as const)('approval for a client of SDK %s', (kind) => {
  it('is asked of whoever sits there, where the rule lets the caller say it, and the call runs at once', async () => {
    askAbout({ by: ['caller'] })
    const client = await openClient(kind, { action: 'accept', content: { approve: true } })
    expect(await client.call({ amount: 250 })).toEqual({ text: 'refunded', isError: false })
    expect(client.questions).toEqual([expect.stringContaining('refund {"amount":250}')])
    expect(await client.call({ amount: 251 })).toMatchObject({ isError: false })
    expect(client.questions).toHaveLength(2)
    expect(ran).toEqual([{ amount: 250 }, { amount: 251 }])
    await client.close()
  })

  it.each<[string, Elicited, string]>([
    ['declined', { action: 'decline' }, 'APPROVAL_DENIED'],
    ['sent with a no', { action: 'accept', content: { approve: false } }, 'APPROVAL_DENIED'],
    ['closed', { action: 'cancel' }, 'APPROVAL_REQUIRED'],
  ])('does not run where the form is %s', async (_, answer, code) => {
    askAbout({ by: ['caller'] })
    const client = await openClient(kind, answer)
    expect(await client.call({ amount: 250 })).toMatchObject({ isError: true, text: expect.stringContaining(code) })
    expect(ran).toEqual([])
    await client.close()
  })

  it('is never asked of the client where the rule says operator: the call waits, with progress, and runs after the yes', async () => {
    askAbout({ by: ['operator'], waitMs: 30_000 })
    const { gateway } = running.board
    gateway.approvals.onEvent(({ type, grant }) => {
      if (type === 'asked') void gateway.approvals.answer(grant.id, { decision: 'once', by: ops })
    })
    const client = await openClient(kind, { action: 'accept', content: { approve: true } })
    expect(await client.call({ amount: 250 })).toEqual({ text: 'refunded', isError: false })
    expect(client.questions).toEqual([])
    expect(client.progress[0]).toContain('waiting for approval by an operator')
    await client.close()
  })

  it('is told as a result with its code once nobody has answered in time', async () => {
    askAbout({ by: ['operator'], waitMs: 1 })
    const client = await openClient(kind, undefined)
    const first = await client.call({ amount: 250 })
    expect(first).toMatchObject({ isError: true, text: expect.stringMatching(/^APPROVAL_REQUIRED: .*call again/) })
    const [grant] = await running.board.gateway.approvals.list()
    await running.board.gateway.approvals.answer(grant!.id, { decision: 'once', by: ops })
    expect(await client.call({ amount: 250 })).toEqual({ text: 'refunded', isError: false })
    await client.close()
  })
})
