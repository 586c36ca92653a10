import type { Gateway, Offered } from '../../gateway.js'
import type { RequestKind } from '../../model/call.js'
import type { Caller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import { RawResult } from '../../model/raw-result.js'
import type { Operation } from '../../operations/operation.js'
import {
  byName,
  closed,
  flag,
  integer,
  list,
  number,
  of,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { type AdminRequest, adminOperation } from './admin-operation.js'

const promptArgument = shape({ name: text(), required: flag() }, { title: text(), description: text() })

const promptRow = shape(
  { id: text(), source: text(), name: text(), arguments: list(promptArgument) },
  { title: text(), description: text() },
)

const resourceRow = shape(
  {
    /** Its address, or the pattern of a template, as callers see it. */
    uri: text(),
    source: text(),
    name: text(),
  },
  { title: text(), description: text(), mimeType: text(), size: integer() },
)

const asked = { ok: flag(), latencyMs: number() }
const error = shape({ code: text(), message: text() })

const promptAnswer = shape(asked, {
  description: text(),
  messages: list(shape({ role: text(), content: of<unknown>({}) })),
  error,
})

const resourceAnswer = shape(asked, {
  contents: list(shape({ uri: text() }, { mimeType: text(), text: text(), blob: text() })),
  error,
})

const promptsAnswer = shape({ prompts: list(promptRow) })
const resourcesAnswer = shape({ resources: list(resourceRow), templates: list(resourceRow) })

export type PromptRow = ValueOf<typeof promptRow>
export type PromptsAnswer = ValueOf<typeof promptsAnswer>
export type PromptAnswer = ValueOf<typeof promptAnswer>
export type ResourceRow = ValueOf<typeof resourceRow>
export type ResourcesAnswer = ValueOf<typeof resourcesAnswer>
export type ResourceAnswer = ValueOf<typeof resourceAnswer>

/** What sources offer besides tools: the lists, and one asked for by hand, which is a call like any other. */
export const offerOperations = ({ gateway }: { readonly gateway: Gateway }): readonly Operation[] => [
  adminOperation({
    id: 'listPrompts',
    method: 'GET',
    path: '/prompts',
    right: 'look',
    summary: words('The prompts of all sources', '所有来源的提示词'),
    answer: promptsAnswer,
    run: () => ({ prompts: byId(gateway.offers().prompts).map(toPrompt) }),
  }),
  adminOperation({
    id: 'tryPrompt',
    deed: false,
    method: 'POST',
    path: '/prompts/:id/get',
    right: 'operate',
    summary: words('Get a prompt with these arguments', '用给定参数获取提示词'),
    params: { id: words('The id of the prompt', '提示词 id') },
    body: closed({ arguments: byName(text({ maxLength: 100_000 }), { maxProperties: 100 }) }),
    answer: promptAnswer,
    run: async ({ params, body, caller, exchange }): Promise<PromptAnswer> => {
      const name = params.id!
      const { result, ...told } = await ask(
        gateway,
        'prompt',
        name,
        { name, arguments: body.arguments ?? {} },
        caller,
        exchange,
      )
      if (!result) return told
      const { description, messages } = result
      return {
        ...told,
        description: textIn(description),
        messages: recordsIn(messages).map(({ role, content }) => ({ role: String(role ?? ''), content })),
      }
    },
  }),
  adminOperation({
    id: 'listResources',
    method: 'GET',
    path: '/resources',
    right: 'look',
    summary: words('The resources of all sources, and their templates', '所有来源的资源及其模板'),
    answer: resourcesAnswer,
    run: () => {
      const { resources, templates } = gateway.offers()
      return { resources: byId(resources).map(toResource), templates: byId(templates).map(toResource) }
    },
  }),
  adminOperation({
    id: 'tryResource',
    deed: false,
    method: 'POST',
    path: '/resource-read',
    right: 'operate',
    summary: words('Read a resource', '读取资源'),
    body: closed({ uri: text({ minLength: 1, maxLength: 8192 }) }, ['uri']),
    answer: resourceAnswer,
    run: async ({ body: { uri }, caller, exchange }): Promise<ResourceAnswer> => {
      const { result, ...told } = await ask(gateway, 'resource', uri, { uri }, caller, exchange)
      if (!result) return told
      const contents = recordsIn(result.contents).map((each) => ({
        uri: String(each.uri ?? uri),
        mimeType: textIn(each.mimeType),
        text: textIn(each.text),
        blob: textIn(each.blob),
      }))
      return { ...told, contents }
    },
  }),
]

interface Asked {
  readonly ok: boolean
  readonly latencyMs: number
  readonly result?: JsonObject | undefined
  readonly error?: ValueOf<typeof error> | undefined
}

/** By the one path of all calls, in the name of whoever asks. A refusal is an answer here: the page shows it beside its time. */
const ask = async (
  gateway: Gateway,
  kind: Extract<RequestKind, 'prompt' | 'resource'>,
  name: string,
  args: JsonObject,
  caller: Caller,
  exchange: AdminRequest<unknown>['exchange'],
): Promise<Asked> => {
  const outcome = await gateway.call({ kind, tool: name, args, caller, signal: exchange.cancel })
  const { latencyMs } = outcome.meta
  if (!outcome.ok) return { ok: false, latencyMs, error: { code: outcome.error.code, message: outcome.error.message } }
  const { answer } = outcome
  const result: unknown = answer.type === 'value' ? answer.value : answer.result
  return { ok: true, latencyMs, result: (result instanceof RawResult ? result.value : result) as JsonObject }
}

/** The same whoever looks: by source, then by name. */
const byId = (offered: readonly Offered[]): readonly Offered[] =>
  offered.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))

const keyOf = ({ mounted, own }: Offered): string => `${mounted.source}\u0000${own}`

const toPrompt = ({ mounted, shown, own, definition }: Offered): PromptRow => ({
  id: shown,
  source: mounted.source,
  name: own,
  title: textIn(definition.title),
  description: textIn(definition.description),
  arguments: recordsIn(definition.arguments).map((each) => ({
    name: String(each.name ?? ''),
    required: each.required === true,
    title: textIn(each.title),
    description: textIn(each.description),
  })),
})

const toResource = ({ mounted, shown, own, definition }: Offered): ResourceRow => ({
  uri: shown,
  source: mounted.source,
  name: textIn(definition.name) ?? own,
  title: textIn(definition.title),
  description: textIn(definition.description),
  mimeType: textIn(definition.mimeType),
  size: typeof definition.size === 'number' && Number.isSafeInteger(definition.size) ? definition.size : undefined,
})

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const recordsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null && !Array.isArray(each)) : []
