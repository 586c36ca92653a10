import { toolOverrides } from '../../config/override-schema.js'
import { redacted } from '../../config/redact.js'
import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import { isRecord } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { say } from '../../serving/locale.js'
import { lookAtConfig } from '../../serving/read-config.js'
import { reportShown, type ShownProblem, type ShownReport } from '../../serving/shown-report.js'
import { noteEdited } from '../../serving/typed-deeds.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'
import { openPlace } from './edit-place.js'
import { type BoardFlags, withBoard } from './with-board.js'

export interface ToolFlags extends BoardFlags {
  readonly profile?: string | undefined
}

/** `pegboard tool list`: which tools are shown otherwise than their sources do. */
export const listShown = (flags: ToolFlags): Promise<void> =>
  withTools(flags, async (tools, config) => {
    const profile = profileOf(flags, config)
    const overrides = await overridesIn(config, tools)
    const reports = tools.map((tool) => reportShown(overrides, tool, profile)).filter(isOverridden)
    const absent = overrides?.absent() ?? []
    print(flags, { profile, tools: reports.map(brief), absent }, [
      reports.length === 0
        ? say('Every tool is shown as its source says.', '所有工具都按来源展示。')
        : table(
            [say('TOOL', '工具'), say('SHOWN AS', '展示为'), say('TOKENS', 'TOKEN'), say('CHANGED', '改动')],
            reports.map((each) => [each.id, shownAs(each), tokensLine(each), each.changes.join(', ')]),
          ),
      ...absent.map((id) =>
        say(`note: there is an override for '${id}', which no source has.`, `注意：“${id}”有覆盖，但没有来源提供它。`),
      ),
    ])
  })

/** `pegboard tool show ID`: one tool as it is shown, beside what its source says. */
export const showTool = (id: string, flags: ToolFlags): Promise<void> =>
  withTools(flags, async (tools, config, written) => {
    const profile = profileOf(flags, config)
    const tool = found(id, tools)
    const report = reportShown(await overridesIn(config, tools), tool, profile)
    print(flags, { ...report, profile, written: written(id, flags.profile) }, linesOf(report))
  })

/** `pegboard tool set ID KEY=VALUE…`: changes how a tool is shown. */
export const setTool = (id: string, words: readonly string[], flags: ToolFlags): Promise<void> =>
  withTools(flags, async (tools, config) => {
    const tool = found(id, tools)
    const asked = words.map(toAssignment)
    const before = overrideIn(config, id, flags.profile)
    const next = asked.reduce((override, { path, value }) => assigned(override, path, value), before)
    await save(tool, tools, config, flags, next, asked)
  })

/** `pegboard tool reset ID`: as its source says. */
export const resetTool = (id: string, flags: ToolFlags): Promise<void> =>
  withTools(flags, async (tools, config) => {
    await save(found(id, tools), tools, config, flags, undefined, [{ path: [], value: undefined }])
  })

type Fields = Readonly<Record<string, unknown>>

interface Assignment {
  readonly path: readonly string[]
  readonly value: unknown
}

const save = async (
  tool: Tool,
  tools: readonly Tool[],
  config: Config,
  flags: ToolFlags,
  next: Fields | undefined,
  asked: readonly Assignment[],
): Promise<void> => {
  const at = placeOf(tool.id, flags.profile)
  const profile = profileOf(flags, config)
  refuseUnread(next, tool.id)
  const candidate = assigned(config as unknown as Fields, at, next) as unknown as Config
  const report = reportShown(await overridesIn(candidate, tools), tool, profile)
  const problems = report.problems.map(inWords)
  if (problems.length > 0)
    throw new GatewayError(
      'CONFIG_INVALID',
      say(
        `'${tool.id}' cannot be shown so: ${problems.join('; ')}. Nothing is written.`,
        `不能这样展示“${tool.id}”：${problems.join('；')}。未写入任何内容。`,
      ),
    )
  await using place = await openPlace(flags)
  await place.edit(asked.map(({ path, value }) => ({ path: [...at, ...path], value })))
  const deed = next === undefined ? 'reset' : 'override'
  await noteEdited(flags, { kind: 'setting', action: deed, on: { type: 'tool', id: tool.id }, outcome: 'ok' })
  print(flags, { ...report, profile, ...place.said }, [
    ...linesOf(report),
    say(
      `Written to ${place.to}; a running gateway takes it up at once.`,
      `已写入 ${place.to}；运行中的网关会立即采用。`,
    ),
  ])
}

const overridesIn = async (config: Config, tools: readonly Tool[]) =>
  (await import('./alone.js')).overridesOver(tools, config)

const placeOf = (id: string, profile: string | undefined): readonly string[] =>
  profile === undefined ? ['overrides', id] : ['profiles', profile, 'overrides', id]

const refuseUnread = (next: Fields | undefined, id: string): void => {
  if (next === undefined) return
  const read = toolOverrides().safeParse({ [id]: next })
  if (read.success) return
  const told = read.error.issues.map(({ path, message }) => `${path.slice(1).join('.')} ${message}`)
  const all = told.join('; ').trim()
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      `The override of '${id}' is not valid: ${all}. Nothing is written.`,
      `“${id}”的覆盖无效：${all}。未写入任何内容。`,
    ),
  )
}

/** `arguments.owner.set=acme`; a value that reads as JSON is that, and nothing takes a key out. */
const toAssignment = (word: string): Assignment => {
  const at = word.indexOf('=')
  const key = at < 0 ? word : word.slice(0, at)
  const path = key.split('.')
  if (at < 0 || path.some((part) => part === '' || part === '__proto__'))
    throw new GatewayError(
      'ARGUMENTS_INVALID',
      say(
        `'${word.slice(0, 60)}' is no KEY=VALUE: name=file_bug, arguments.owner.set=acme, result.pick=["/number"].`,
        `“${word.slice(0, 60)}”不是 KEY=VALUE：name=file_bug、arguments.owner.set=acme、result.pick=["/number"]。`,
      ),
    )
  const text = word.slice(at + 1)
  return { path, value: text === '' ? undefined : plain(text) }
}

const plain = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const assigned = (target: unknown, [key, ...rest]: readonly string[], value: unknown): Fields => {
  if (key === undefined) return value as Fields
  const fields = isRecord(target) ? target : {}
  const { [key]: before, ...others } = fields
  const inner = rest.length === 0 ? value : assigned(before, rest, value)
  return inner === undefined ? others : { ...fields, [key]: inner }
}

const overrideIn = (config: Config, id: string, profile: string | undefined): Fields =>
  (placeOf(id, profile).reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    config,
  ) ?? {}) as Fields

const profileOf = ({ profile }: ToolFlags, { profiles }: Config): string => {
  if (profile === undefined || Object.hasOwn(profiles, profile)) return profile ?? 'default'
  throw new CommandFailed(
    say(`There is no profile '${profile}'${meant(profile, Object.keys(profiles))}`, `没有配置档“${profile}”。`),
    exitCodes.notFound,
  )
}

const found = (id: string, tools: readonly Tool[]): Tool => {
  const tool = tools.find((each) => each.id === id)
  if (tool) return tool
  const ids = tools.map((each) => each.id)
  throw new CommandFailed(
    say(
      `No source has a tool '${id}'${meant(id, ids)} Overrides go by the id that the source gives.`,
      `没有来源提供工具“${id}”${meant(id, ids)}覆盖以来源的 id 为准。`,
    ),
    exitCodes.notFound,
  )
}

const withTools = (
  flags: ToolFlags,
  look: (
    tools: readonly Tool[],
    config: Config,
    written: (id: string, profile: string | undefined) => Fields,
  ) => Promise<void>,
): Promise<void> =>
  withBoard(flags, async ({ gateway }) => {
    const loaded = await lookAtConfig(flags)
    const tools = gateway.catalog.snapshot().tools.filter(({ own }) => !own)
    const shown = redacted(loaded.config, loaded.references) as Config
    await look(tools, loaded.config, (id, profile) => overrideIn(shown, id, profile))
  })

const isOverridden = ({ changes, problems }: ShownReport): boolean => changes.length + problems.length > 0

const brief = ({ upstream: _, tags: __, shown, ...report }: ShownReport): object => ({
  ...report,
  shownAs: shown?.id ?? null,
  shownTokens: shown?.tokens ?? 0,
})

const shownAs = ({ shown, problems }: ShownReport): string =>
  shown?.id ?? (problems.length > 0 ? say('(held back)', '（扣留）') : say('(off)', '（关闭）'))

const tokensLine = ({ upstreamTokens, shown }: ShownReport): string => `${upstreamTokens} → ${shown?.tokens ?? 0}`

const linesOf = (report: ShownReport): readonly string[] => [
  `${report.id} → ${shownAs(report)}`,
  say(`tokens: ${tokensLine(report)}`, `token：${tokensLine(report)}`),
  ...(report.changes.length === 0
    ? [say('As its source says.', '与来源一致。')]
    : report.changes.map((each) => differs(report, each))),
  ...report.problems.map(inWords).map((problem) => say(`does not fit: ${problem}`, `不符：${problem}`)),
]

const inWords = ({ path, message }: ShownProblem): string => `${path} ${message}`

const longest = 200

const differs = ({ upstream, tags, shown }: ShownReport, change: string): string => {
  // What is done to results stands in no definition.
  if (change === 'result') return `  ${change}`
  const [key, name] = change.split(/\.(.*)/s)
  const of = (definition: Fields | undefined): string => {
    const value = name === undefined ? definition?.[key!] : Object(Object(definition?.inputSchema).properties)[name]
    return (value === undefined ? '–' : (JSON.stringify(value) ?? '–')).slice(0, longest)
  }
  return `  ${change}: ${of({ ...upstream, tags })} → ${of(shown && { ...shown.definition, tags: shown.tags })}`
}
