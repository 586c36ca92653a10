import { formatDiff } from '../../clients/line-diff.js'
import { configError } from '../../config/problems.js'
import { GatewayError } from '../../errors.js'
import { type WrittenSources, writtenSources } from '../../serving/config-file.js'
import { count, say } from '../../serving/locale.js'
import { type CommonFlags, lookAtConfig } from '../../serving/read-config.js'
import { installPlanned, notAnswered, planServer } from '../../serving/registries/install.js'
import type { Registries } from '../../serving/registries/registries.js'
import { openRegistries } from '../../serving/registries/registries.js'
import { findUpdates, mergedEntry, type NewerVersion } from '../../serving/registries/updates.js'
import { noteEdited, sourceDeed } from '../../serving/typed-deeds.js'
import { plannedLines } from '../terminal/planned-lines.js'
import { showWaiting } from '../terminal/progress.js'
import { confirm, isInteractive, painted, print } from '../terminal/terminal.js'
import { type EditPlace, openPlace } from './edit-place.js'
import { requireKnown } from './edit-sources.js'
import { registryConfig } from './registry-add.js'
import { type AnswerFlags, typedAnswers } from './registry-answers.js'

export interface UpdateFlags extends CommonFlags, AnswerFlags {
  readonly yes?: boolean | undefined
}

/** `pegboard registry updates`: what newer versions would change. Nothing is taken. */
export const updates = async (flags: CommonFlags): Promise<void> => {
  await using place = await openPlace(flags)
  const found = await lookFor(await sourcesAt(place), flags)
  const newer = found.filter(({ state }) => state === 'newer')
  print(flags, { sources: found.map(toJson) }, [
    ...found.flatMap(linesOf),
    found.length === 0
      ? say(
          'No source came from a registry. Find one: pegboard registry search WORDS',
          '没有来自注册表的来源。查找：pegboard registry search WORDS',
        )
      : newer.length === 0
        ? say('Nothing newer.', '没有更新的版本。')
        : say(
            `Take one with: pegboard registry update ${newer[0]!.source}`,
            `采用：pegboard registry update ${newer[0]!.source}`,
          ),
  ])
}

/** `pegboard registry update SOURCE`. */
export const update = async (name: string, flags: UpdateFlags): Promise<void> => {
  await using place = await openPlace(flags)
  requireKnown([name], await place.sources())
  const sources = await sourcesAt(place)
  const [found] = await lookFor(sources, flags, name)
  if (!found)
    throw new GatewayError(
      'SOURCE_NOT_FOUND',
      say(`'${name}' did not come from a registry.`, `“${name}”不是来自注册表的来源。`),
    )
  if (found.state === 'away' || found.state === 'refused') throw new GatewayError('SOURCE_INVALID', found.reason ?? '')
  if (found.planned === undefined)
    return print(flags, { ...toJson(found), written: false }, [
      say(`'${name}' has the newest version, ${found.version}.`, `“${name}”已是最新版本 ${found.version}。`),
    ])
  const config = await registryConfig(flags)
  const before = sources.get(name)!
  const typed = typedAnswers(found.planned.inputs, flags)
  const wish = { as: name, way: found.planned.way.id, answers: { ...found.answers, ...typed } }
  const planned = planServer(found.planned, wish, config)
  if (!flags.json) process.stdout.write(`${[...linesOf(found), '', ...plannedLines(planned)].join('\n')}\n`)
  const [missing] = planned.plan.missing
  if (missing) throw notAnswered(missing, planned.plan.missing)
  const isWanted = flags.yes || (!flags.json && isInteractive() && (await confirm(say('\nTake it?', '\n采用吗？'))))
  if (!isWanted)
    return print(flags, { ...toJson(found), written: false }, [
      say('Nothing was written. Take it with --yes.', '没有写入任何内容。用 --yes 采用。'),
    ])
  const section = await place.section(name)
  const write = (value: unknown): Promise<void> => place.edit([{ path: [section, name], value }])
  await installPlanned(planned, config, {
    isOff: false,
    write: async (entry) => {
      await write(mergedEntry(before, entry))
      await validOr(name, place, flags, () => write(before))
    },
  })
  await noteEdited(flags, sourceDeed('update', name))
  print(flags, { ...toJson(found), written: true, file: place.file }, [
    say(`'${name}' is now ${found.latest}.`, `“${name}”现在是 ${found.latest}。`),
  ])
}

/** What was there before comes back where the new entry would be no good. */
const validOr = async (
  name: string,
  place: EditPlace,
  flags: CommonFlags,
  undo: () => Promise<void>,
): Promise<void> => {
  if (place.said.overlay) return
  const { problems } = await lookAtConfig({ ...flags, config: place.file })
  const own = problems.filter(({ source, code }) => source === name && code !== 'VARIABLE_UNSET')
  if (own.length === 0) return
  await undo()
  throw configError(own, place.file)
}

const sourcesAt = async (place: EditPlace): Promise<WrittenSources> => {
  if (!place.said.overlay) return writtenSources(place.file)
  const { sources } = await place.look()
  return new Map(Object.entries(sources).map(([name, source]) => [name, source as unknown as Record<string, unknown>]))
}

const lookFor = async (
  sources: WrittenSources,
  flags: CommonFlags,
  only?: string,
): Promise<readonly NewerVersion[]> => {
  const config = await registryConfig(flags)
  const opened = new Map<string, Registries>()
  const waiting = showWaiting()
  try {
    return await findUpdates(
      sources,
      config,
      (url) => {
        const known = opened.get(url) ?? openRegistries(config, url)
        opened.set(url, known)
        return known
      },
      { only, onSource: (name) => waiting.tell([name]) },
    )
  } finally {
    waiting.end()
    await Promise.all([...opened.values()].map((each) => each.close()))
  }
}

const linesOf = ({ source, name, version, latest, state, reason, diff, missing }: NewerVersion): readonly string[] => {
  const head = `${painted('bold', source)}  ${name} ${version}`
  if (state === 'current') return [`${head}  ${painted('green', say('newest', '最新'))}`]
  if (state !== 'newer') return [`${head}  ${painted('yellow', `! ${reason}`)}`]
  return [
    `${head} → ${painted('bold', latest!)}`,
    ...formatDiff(diff)
      .split('\n')
      .map((line) => `  ${painted(line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'dim', line)}`),
    ...(missing.length > 0
      ? [
          say(
            `  It asks for ${count(missing.length, 'more value')}: ${missing.join(', ')}`,
            `  还需要 ${missing.length} 个值：${missing.join('、')}`,
          ),
        ]
      : []),
  ]
}

const toJson = ({ planned, answers, ...rest }: NewerVersion) => ({ ...rest, runs: planned?.plan.runs })
