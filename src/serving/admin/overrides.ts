import { dirname } from 'node:path'
import { readLayers } from '../../config/layers.js'
import { normaliseConfig } from '../../config/normalise.js'
import { formatPath } from '../../config/problems.js'
import type { Config } from '../../config/schema.js'
import { GatewayError, isGatewayError } from '../../errors.js'
import type { OverrideDesk, ShownToolAnswer } from '../../faces/admin/overrides.js'
import { notFound } from '../../http/http-error.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import type { Board } from '../board.js'
import type { FileInForce } from '../file-in-force.js'
import { overridesIn } from '../overrides-over.js'
import { reportShown, type ShownProblem, type ShownReport, toProblem, upstreamReport } from '../shown-report.js'
import { keptSets, restoredOverride, shownOverride, withArguments, withoutSet } from './written-override.js'

type OverrideConfig = Config['overrides'][string]

/** How tools are shown, in the file and at once in what runs. */
export const createOverrideDesk = (
  board: Board,
  inForce: FileInForce,
  env: Readonly<Record<string, string | undefined>>,
): OverrideDesk => {
  const { gateway } = board
  const listed = (id: string): Tool | undefined => {
    const tool = gateway.catalog.snapshot().get(id)
    return tool?.own ? undefined : tool
  }
  const held = (id: string): Tool | undefined => gateway.catalog.held().find((tool) => tool.id === id)
  /** What can be shown otherwise: of what is held back nobody has said yet that it may be shown at all. */
  const find = (id: string): Tool => {
    const tool = listed(id)
    if (tool) return tool
    if (!held(id)) throw unknownTool(id)
    throw new GatewayError('TOOL_HELD', `'${id}' is held back: approve it first, then say how it is shown.`)
  }
  const knownProfile = (profile: string | undefined): string => {
    if (profile === undefined || Object.hasOwn(board.config.profiles, profile)) return profile ?? 'default'
    throw notFound(`There is no profile '${profile}'; look at the list.`)
  }
  const writtenAt = (path: readonly string[]): JsonObject | undefined => {
    const found = path.reduce<unknown>(
      (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      inForce.raw(),
    )
    return isRecord(found) ? (found as JsonObject) : undefined
  }
  const written = (id: string, profile: string | undefined): JsonObject => writtenAt(pathOf(id, profile)) ?? {}
  const bySource = ({ source, name }: Tool): JsonObject | undefined => {
    const found = sections.map((section) => writtenAt([section, source, 'overrides', name])).find(Boolean)
    return found && shownOverride(found)
  }
  const answerOf = (
    id: string,
    asked: string | undefined,
    tool: Tool | undefined,
    report: Partial<ShownReport>,
  ): ShownToolAnswer => {
    const { upstream, shown, ...rest } = report
    const { profiles } = board.config
    return {
      id,
      changes: [],
      problems: [],
      ...rest,
      profile: asked ?? 'default',
      upstream: upstream as unknown as JsonObject | undefined,
      shown: shown && { ...shown, definition: shown.definition as unknown as JsonObject },
      written: shownOverride(written(id, asked)),
      bySource: tool && bySource(tool),
      profiles: Object.keys(profiles).filter((name) => Object.hasOwn(profiles[name]!.overrides ?? {}, id)),
    }
  }
  const of: OverrideDesk['of'] = async (id, asked) => {
    const profile = knownProfile(asked)
    const tool = listed(id)
    if (tool) return answerOf(id, asked, tool, reportShown(gateway.overrides, tool, profile))
    const waiting = held(id)
    if (waiting) return { ...answerOf(id, asked, waiting, upstreamReport(waiting)), held: true }
    const answer = answerOf(id, asked, undefined, {})
    if (Object.keys(answer.written).length + answer.profiles.length === 0) throw unknownTool(id)
    return answer
  }

  /** As reading the file would, for this override alone. What stands as it stood is what it stands for now. */
  const parsed = (id: string, profile: string | undefined, whole: JsonObject): OverrideConfig => {
    const kept = keptSets(whole, written(id, profile))
    const read = withArguments(whole, (name, argument) => (kept.includes(name) ? withoutSet(argument) : argument))
    const file = profile === undefined ? at(id, read) : { profiles: { [profile]: at(id, read) } }
    const folder = dirname(inForce.target)
    const layers = readLayers({}, {})
    const around = { env, layers, folder, dataFolder: folder, strict: true, subject: 'the override', where: formatPath }
    const { config } = normaliseConfig(file, around)
    const now = argumentsIn(overridesAt(board.config, profile)[id])
    return withArguments(overridesAt(config, profile)[id] as unknown as JsonObject, (name, argument) => {
      const { set, secret } = now[name] ?? {}
      return kept.includes(name) && set !== undefined ? ({ ...argument, set, secret } as JsonObject) : argument
    }) as unknown as OverrideConfig
  }

  return {
    of,
    preview: async (id, asked, override) => {
      const tool = find(id)
      const profile = knownProfile(asked)
      const refused = (problems: readonly ShownProblem[]) =>
        answerOf(id, asked, tool, { ...upstreamReport(tool), problems })
      try {
        const whole = restoredOverride(id, override, written(id, asked))
        const next = overridesIn(withOverride(board.config, id, asked, parsed(id, asked, whole)), gateway.catalog)
        const report = reportShown(next, tool, profile)
        // What is said to everybody has to fit every profile that says more.
        const others = asked === undefined ? (next?.problems() ?? []).filter((each) => each.tool === id) : []
        const problems = [...report.problems, ...others.filter(isNoneOf(report.problems)).map(toProblem)]
        return answerOf(id, asked, tool, { ...report, problems })
      } catch (error) {
        if (!isGatewayError(error)) throw error
        return refused(problemsOf(error, id, asked) ?? [{ path: '', message: error.message }])
      }
    },
    save: async (id, profile, override) => {
      find(id)
      knownProfile(profile)
      try {
        const whole = restoredOverride(id, override, written(id, profile))
        await inForce.change(() => [{ path: pathOf(id, profile), value: whole }])
      } catch (error) {
        throw placed(error, id, profile)
      }
      return of(id, profile)
    },
    reset: async (id, profile) => {
      const before = await of(id, profile)
      if (Object.keys(written(id, profile)).length === 0) return before
      await inForce.change(() => [{ path: pathOf(id, profile), value: undefined }])
      return listed(id) || held(id) ? of(id, profile) : answerOf(id, profile, undefined, {})
    },
  }
}

const unknownTool = (id: string): GatewayError =>
  new GatewayError('TOOL_NOT_FOUND', `There is no tool '${id.slice(0, 200)}' here any more; search for it.`)

/** Where the entry of a source may stand. */
const sections = ['sources', 'mcpServers', 'servers', 'services'] as const

const pathOf = (id: string, profile: string | undefined): readonly string[] =>
  profile === undefined ? ['overrides', id] : ['profiles', profile, 'overrides', id]

const at = (id: string, override: JsonObject) => ({ overrides: { [id]: override } })

const overridesAt = (config: Config, profile: string | undefined): Readonly<Record<string, OverrideConfig>> =>
  (profile === undefined ? config.overrides : config.profiles[profile]?.overrides) ?? {}

const argumentsIn = (
  override: OverrideConfig | undefined,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> => override?.arguments ?? {}

const withOverride = (config: Config, id: string, profile: string | undefined, override: OverrideConfig): Config => {
  const overrides = { ...overridesAt(config, profile), [id]: override }
  if (profile === undefined) return { ...config, overrides }
  return { ...config, profiles: { ...config.profiles, [profile]: { ...config.profiles[profile]!, overrides } } }
}

const isNoneOf =
  (known: readonly ShownProblem[]) =>
  ({ path, message }: ShownProblem): boolean =>
    !known.some((each) => each.path === path && each.message === message)

/** What is wrong with this override, by its place in it; undefined where the error names none. */
const problemsOf = (
  error: GatewayError,
  id: string,
  profile: string | undefined,
): readonly ShownProblem[] | undefined => {
  const told = Array.isArray(error.details?.problems) ? error.details.problems : []
  const before = formatPath(pathOf(id, profile))
  const problems = told.flatMap((each: unknown): readonly ShownProblem[] => {
    if (!isRecord(each) || typeof each.path !== 'string' || typeof each.message !== 'string') return []
    if (each.tool !== undefined) return each.tool === id ? [{ path: each.path, message: each.message }] : []
    if (!each.path.startsWith(before)) return []
    return [{ path: each.path.slice(before.length).replace(/^\./, ''), message: each.message }]
  })
  return problems.length > 0 ? problems : undefined
}

const placed = (error: unknown, id: string, profile: string | undefined): unknown => {
  const problems = isGatewayError(error) ? problemsOf(error, id, profile) : undefined
  if (!problems) return error
  const { code, message } = error as GatewayError
  return new GatewayError(code, message, { details: { problems }, cause: error })
}
