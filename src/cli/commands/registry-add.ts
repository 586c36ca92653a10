import type { Config } from '../../config/schema.js'
import { GatewayError, isGatewayError } from '../../errors.js'
import { wayProblem } from '../../registries/way-problem.js'
import { waysOf } from '../../registries/ways.js'
import { shownSources } from '../../serving/importing/shown-sources.js'
import { say } from '../../serving/locale.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import {
  type InstallWish,
  installPlanned,
  notAnswered,
  type PlannedServer,
  parseServerWord,
  planServer,
} from '../../serving/registries/install.js'
import { secretPlaceOf } from '../../serving/registries/kept-secrets.js'
import { type FoundServer, openRegistries } from '../../serving/registries/registries.js'
import { noteEdited, sourceDeed } from '../../serving/typed-deeds.js'
import { askInputs, askWay } from '../terminal/ask-inputs.js'
import { pinningHere } from '../terminal/pin-words.js'
import { plannedLines } from '../terminal/planned-lines.js'
import { showWaiting } from '../terminal/progress.js'
import { confirm, isInteractive, print } from '../terminal/terminal.js'
import { readSet } from './bundle-answers.js'
import { openPlace } from './edit-place.js'
import { firstLook, firstLookLines } from './first-look.js'
import { type AnswerFlags, typedAnswers } from './registry-answers.js'
import { refuseTaken } from './taken.js'

export interface RegistryAddFlags extends CommonFlags, AnswerFlags {
  readonly registry?: string | undefined
  readonly package?: string | undefined
  readonly remote?: boolean | string | undefined
  readonly packageHost?: readonly string[] | undefined
  readonly as?: string | undefined
  readonly disabled?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly dryRun?: boolean | undefined
  readonly try?: boolean | undefined
  /** What a bundle's own manifest asks for. */
  readonly set?: readonly string[] | undefined
}

/** `pegboard add NAME[@version]`: a server of a registry as a source, its exact command shown before anything is written. */
export const addFromRegistry = async (word: string, flags: RegistryAddFlags): Promise<void> => {
  const { name, version } = parseServerWord(word)
  const config = await registryConfig(flags)
  const found = await withRegistries(config, flags.registry, (registries) => registries.find(name, version))
  const planned = await planAsked(found, flags, config)
  if (planned === undefined) return
  refuseUnaskedSet(planned, flags)
  await using place = await openPlace(flags)
  refuseTaken(planned.source, await place.sources(), '--as')
  const isGrave = planned.findings.some(({ severity }) => severity === 'high')
  const isOff = flags.disabled === true || isGrave
  if (!flags.json) process.stdout.write(`${plannedLines(planned).join('\n')}\n`)
  const [missing] = planned.plan.missing
  if (missing && !flags.dryRun) throw notAnswered(missing, planned.plan.missing)
  if (!(await isWanted(flags, planned, place.to))) return tellUnwritten(planned, flags)
  const { source } = planned
  const section = await place.section()
  const entry = await installPlanned(planned, config, {
    isOff,
    bundleConfig: readSet(flags.set ?? []),
    write: (value) => place.edit([{ path: [section, source], value }], source),
  })
  await noteEdited(flags, sourceDeed('add', source))
  const added = (await place.look()).sources[source]
  const isTried = !isOff && (flags.try ?? (process.stdout.isTTY === true && !flags.json))
  const look = isTried ? await firstLook(source, { ...flags, config: place.file }) : undefined
  const json = { ...toJson(planned), added: source, file: place.file, ...place.said, enabled: !isOff, first: look }
  print(flags, { ...json, source: shownSources([[source, entry]])[source] }, [
    say(`Added '${source}' to ${place.to}.`, `已把“${source}”添加到 ${place.to}。`),
    ...(added ? [say(`It is ${pinningHere(added)}.`, `它是${pinningHere(added)}。`)] : []),
    ...afterwards(planned, isOff, isGrave),
    ...(look ? firstLookLines(source, look) : []),
  ])
}

/** Whose registries are asked: those of a file that nobody said yes to are a stranger's word (S1), and one may not be there yet. */
export const registryConfig = async (flags: CommonFlags): Promise<Config> => {
  try {
    return (await readConfig(flags)).config
  } catch (error) {
    if (!isGatewayError(error) || !['CONFIG_UNREADABLE', 'CONFIG_UNTRUSTED'].includes(error.code)) throw error
    return (await readConfig({ ...flags, config: undefined, here: false })).config
  }
}

/** What was kept apart from the file for sources that are no more. */
export const forgetSecrets = async (sources: readonly string[], flags: CommonFlags): Promise<void> => {
  const place = secretPlaceOf(await registryConfig(flags))
  await Promise.all(sources.map((source) => place.forget(source)))
}

/** Says whom we wait for, and closes what was opened. */
export const withRegistries = async <T>(
  config: Config,
  only: string | undefined,
  ask: (registries: ReturnType<typeof openRegistries>, tell: (name: string) => void) => Promise<T>,
): Promise<T> => {
  const registries = openRegistries(config, only)
  const waiting = showWaiting()
  waiting.tell(registries.addresses.map(({ name }) => name))
  try {
    return await ask(registries, (name) => waiting.tell([name]))
  } finally {
    waiting.end()
    await registries.close()
  }
}

/** With the answers that were typed, and those that a person at a terminal gives. Undefined when they leave. */
const planAsked = async (
  found: FoundServer,
  flags: RegistryAddFlags,
  config: Config,
): Promise<PlannedServer | undefined> => {
  const isAsking = isInteractive() && !flags.yes && !flags.json
  const rules = { packageHosts: flags.packageHost }
  const wish: InstallWish = { as: flags.as, way: await wayOf(found, flags, isAsking), rules }
  const bare = planServer(found, wish, config)
  const typed = typedAnswers(bare.inputs, flags)
  const answers = isAsking && bare.inputs.length > 0 ? await askInputs(bare.inputs, typed) : typed
  return answers && planServer(found, { ...wish, way: bare.way.id, answers }, config)
}

/** A value that nobody takes is a mistake that its writer should hear of. */
const refuseUnaskedSet = ({ plan, way }: PlannedServer, { set = [] }: RegistryAddFlags): void => {
  if (set.length === 0 || plan.bundle) return
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `--set is for what an MCPB bundle asks for, and ${way.label} is none: use --env, --arg or --header.`,
      `--set 用于 MCPB 包所需的值，而 ${way.label} 不是：请用 --env、--arg 或 --header。`,
    ),
  )
}

const wayOf = async (
  { listed: { server } }: FoundServer,
  { package: named, remote, packageHost }: RegistryAddFlags,
  isAsking: boolean,
): Promise<string | undefined> => {
  if (named !== undefined) return named
  if (remote !== undefined && remote !== false) return typeof remote === 'string' ? remote : 'remote'
  const usable = waysOf(server).filter((way) => wayProblem(way, { packageHosts: packageHost }) === undefined)
  return isAsking && usable.length > 1 ? askWay(usable) : undefined
}

const isWanted = async (flags: RegistryAddFlags, { source }: PlannedServer, to: string): Promise<boolean> => {
  if (flags.dryRun) return false
  if (flags.yes) return true
  if (flags.json || !isInteractive()) return false
  return confirm(say(`\nAdd it to ${to} as '${source}'?`, `\n以“${source}”为名添加到 ${to} 吗？`))
}

const tellUnwritten = (planned: PlannedServer, flags: RegistryAddFlags): void =>
  print(flags, { ...toJson(planned), written: false }, [
    '',
    say('Nothing was written.', '没有写入任何内容。'),
    ...(flags.dryRun ? [] : [say('Add it with --yes.', '用 --yes 添加。')]),
  ])

const afterwards = ({ source, plan, secrets }: PlannedServer, isOff: boolean, isGrave: boolean): readonly string[] => [
  ...(secrets.isElsewhere && plan.secrets.length > 0
    ? [
        say(
          `Set these where the gateway runs; their values are kept nowhere: ${plan.secrets.map(({ reference }) => reference).join(', ')}`,
          `请在网关运行处设置这些变量，它们的值没有保存在任何地方：${plan.secrets.map(({ reference }) => reference).join('、')}`,
        ),
      ]
    : []),
  ...(isGrave
    ? [say('It is switched off, since the scanner found something grave.', '它处于停用状态，因为扫描发现了严重问题。')]
    : []),
  isOff
    ? say(`Switch it on with: pegboard enable ${source}`, `启用：pegboard enable ${source}`)
    : say('See it with: pegboard list --sources', '查看：pegboard list --sources'),
]

/** What programs are told of a plan; secrets by reference. */
export const toJson = ({ registry, listed, way, ways, inputs, plan, findings }: PlannedServer) => ({
  name: listed.server.name,
  version: listed.server.version,
  registry: registry.url,
  status: listed.standing.status,
  package: way.id,
  packages: ways.map(({ way: { id, label }, problem }) => ({ id, label, problem })),
  runs: plan.runs,
  inputs,
  missing: plan.missing.map(({ key }) => key),
  secrets: plan.secrets.map(({ input, reference }) => ({ key: input.key, reference })),
  cautions: plan.cautions.map(({ en }) => en),
  findings,
})
