import { GatewayError } from '../../errors.js'
import { advertisedName, type Gateway, safeNaming } from '../../gateway.js'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject, JsonValue } from '../../model/json.js'
import { tokensOf } from '../../model/tokens.js'
import type { Tool } from '../../model/tool.js'
import type { Operation } from '../../operations/operation.js'
import {
  anyObject,
  choice,
  flag,
  integer,
  list,
  of,
  orNull,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import type { CallLog } from './call-log.js'
import { loggedCall } from './calls.js'
import { type EffectDesk, effectRow } from './effects.js'
import { type FindingDesk, scannedFinding } from './findings.js'
import { standings, standingsIn } from './shown-tools.js'
import { callerThrough } from './through-profile.js'
import { hintsIn, toolHints } from './tool-hints.js'

const row = {
  id: text(),
  source: text(),
  summary: text(),
  tokens: integer(),
  uses: integer(),
  temperature: choice(['hot', 'warm', 'cold']),
  held: flag(),
}

const standing = {
  /** Not there where everybody is shown it as its source says. */
  shown: choice(standings),
  /** Its id towards callers, where that is another one. */
  shownAs: text(),
  /** What it does, by whose word; not there where nobody says anything. */
  hints: toolHints,
  /** True where the lists of the profile that was asked for leave it out. */
  leftOut: flag(),
}

const toolRow = shape(row, { title: text(), ...standing })

const toolDetail = shape(
  {
    ...row,
    namespace: text(),
    tags: list(text()),
    lastUsed: orNull(integer()),
    definition: anyObject(),
    history: list(loggedCall),
    findings: list(scannedFinding),
    /** Why it is not shown as somebody wrote: the place in the override, and what is wrong there. */
    misfits: list(shape({ path: text(), message: text() }, { profile: text() })),
    /** For each profile whether its callers see it, and if not, whether it is switched off there or its lists leave it out. */
    profiles: list(shape({ name: text(), sees: flag() }, { why: choice(['off', 'lists']) })),
  },
  {
    title: text(),
    category: text(),
    timeoutMs: integer(),
    /** As clients of the default profile see it; not there while nobody does. */
    advertised: anyObject(),
    /** Not there while it is held back. */
    effect: effectRow,
    /** Arguments to begin with, made from the schema that callers see. */
    example: of<JsonValue>({}),
    ...standing,
  },
)

const toolsAnswer = shape({
  version: integer(),
  tools: list(toolRow),
  /** Ids that overrides speak of and no source has; of the entry of a source `SOURCE: NAME`. */
  absent: list(text()),
})

export type ToolRow = ValueOf<typeof toolRow>
export type ToolDetail = ValueOf<typeof toolDetail>
export type ToolsAnswer = ValueOf<typeof toolsAnswer>

const bytesOf = (tool: Tool): number => Buffer.byteLength(JSON.stringify(tool.definition))

const sizes = new WeakMap<Tool, number>()
const sizeOf = (tool: Tool): number => {
  const known = sizes.get(tool)
  if (known !== undefined) return known
  const size = bytesOf(tool)
  sizes.set(tool, size)
  return size
}

const summaryChars = 160
const params = { id: words('The id of the tool', '工具 id') }

interface ToolBoard {
  readonly gateway: Gateway
  readonly findings: FindingDesk
  readonly effects: EffectDesk
  profileNames(): readonly string[]
}

/** Tools: the list, and one of them. */
export const toolOperations = (
  board: ToolBoard,
  { log, clock }: { readonly log: CallLog; readonly clock: Clock },
): readonly Operation[] => {
  const { gateway, findings, effects } = board
  const toRow = (tool: Tool, held: boolean, standing: Partial<ToolRow> = {}): ToolRow => ({
    ...standing,
    id: tool.id,
    source: tool.source,
    title: tool.definition.title,
    summary: (tool.definition.description ?? '').slice(0, summaryChars),
    tokens: tokensOf(sizeOf(tool)),
    uses: gateway.catalog.usage.of(tool.id).count,
    temperature: gateway.catalog.usage.temperature(tool.id, clock.wall()),
    held,
  })
  /** How tools stand towards callers, asked once for many of them. */
  const standing = (profile?: string, viewer?: Caller) => {
    const standingOf = standingsIn(gateway, profile)
    const hintsOf = hintsIn(gateway, profile)
    return (tool: Tool): Partial<ToolRow> => ({
      ...standingOf(tool),
      hints: hintsOf(tool),
      leftOut: viewer && gateway.policy.decide(viewer, tool, 'see').allowed === false ? true : undefined,
    })
  }
  const rows = (caller: Caller, profile: string | undefined) => {
    const viewer = profile === undefined ? undefined : callerThrough(caller, profile)
    // As its callers see it, whatever the one who looks may do.
    const standingOf = standing(profile, viewer && { id: viewer.id, rights: ['discover', 'call'], profile })
    const listed = gateway.catalog.snapshot().tools.filter((tool) => !tool.own)
    return [
      ...listed.map((tool) => toRow(tool, false, standingOf(tool))),
      ...gateway.catalog.held().map((tool) => toRow(tool, true)),
    ]
  }
  /** As callers of a profile are shown it; undefined where they are not. */
  const shownOf = (tool: Tool, profile?: string): Tool | undefined => gateway.shown(profile).shownOf(tool)
  const seenIn = (tool: Tool) =>
    board.profileNames().map((name) => {
      const viewer: Caller = { id: 'viewer', rights: ['discover', 'call'], profile: name }
      if (!gateway.policy.decide(viewer, tool, 'see').allowed) return { name, sees: false, why: 'lists' as const }
      return shownOf(tool, name) ? { name, sees: true } : { name, sees: false, why: 'off' as const }
    })
  const find = (id: string): { readonly tool: Tool; readonly held: boolean } => {
    const listed = gateway.catalog.snapshot().get(id)
    if (listed) return { tool: listed, held: false }
    const held = gateway.catalog.held().find((tool) => tool.id === id)
    if (held) return { tool: held, held: true }
    throw new GatewayError('TOOL_NOT_FOUND', `There is no tool '${id.slice(0, 200)}' here any more; search for it.`)
  }

  return [
    adminOperation({
      id: 'listTools',
      method: 'GET',
      path: '/tools',
      right: 'look',
      summary: words('All tools, those held back included', '全部工具，包括被暂停的'),
      answer: toolsAnswer,
      run: ({ caller, exchange }) => ({
        version: gateway.catalog.version,
        // In the eyes of this profile; of the default one where none is named.
        tools: rows(caller, exchange.query.get('profile')?.slice(0, 64) || undefined),
        absent: gateway.overrides?.absent() ?? [],
      }),
    }),
    adminOperation({
      id: 'readTool',
      method: 'GET',
      path: '/tools/:id',
      right: 'look',
      summary: words('One tool, its definition and its last calls', '一个工具及其定义与最近的调用'),
      params,
      answer: toolDetail,
      run: async ({ params }) => {
        const { exampleOf } = await import('../../schema/example.js')
        const { tool, held } = find(params.id!)
        const { tags, category, namespace, timeoutMs } = tool
        const shown = held ? undefined : shownOf(tool)
        const misfits = (gateway.overrides?.problems() ?? []).filter((each) => each.tool === tool.id)
        return {
          ...toRow(tool, held, held ? {} : standing()(tool)),
          namespace,
          tags,
          category,
          timeoutMs,
          lastUsed: gateway.catalog.usage.of(tool.id).lastUsed,
          definition: tool.definition as unknown as JsonObject,
          advertised: shown && {
            ...(shown.definition as unknown as JsonObject),
            name: advertisedName(shown, safeNaming),
          },
          misfits: misfits.map(({ profile, path, message }) => ({ profile, path, message })),
          history: log.recent({ tool: tool.id, limit: 50 }),
          findings: findings.ofTool(tool),
          profiles: held ? [] : seenIn(tool),
          effect: held ? undefined : effects.of(tool.id),
          example: exampleOf((shown ?? tool).definition.inputSchema),
        }
      },
    }),
  ]
}
