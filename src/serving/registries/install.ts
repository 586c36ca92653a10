import { nameProblem } from '../../config/namespaces.js'
import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import { findingsIn } from '../../registries/findings.js'
import type { AskedInput, InputAnswers } from '../../registries/inputs.js'
import { type InstallPlan, planInstall } from '../../registries/plan.js'
import { isServerName } from '../../registries/server-json.js'
import { chooseWay, type WayRules, wayProblem } from '../../registries/way-problem.js'
import { inputsOf, type ServerWay, waysOf } from '../../registries/ways.js'
import type { Finding } from '../../scanner/finding.js'
import { say } from '../locale.js'
import { bundleInstallerOf } from './bundles.js'
import { type SecretPlace, secretPlaceOf } from './kept-secrets.js'
import type { FoundServer } from './registries.js'

export interface InstallWish {
  /** What it shall be called here. Default: the last part of its name. */
  readonly as?: string | undefined
  /** Which of its packages or addresses. Default: the first that can be taken. */
  readonly way?: string | undefined
  readonly answers?: InputAnswers | undefined
  readonly rules?: WayRules | undefined
}

/** A server on its way to become a source: what it asks for, what it would run, what is worth a look. */
export interface PlannedServer extends FoundServer {
  /** What it would be called here. */
  readonly source: string
  readonly ways: readonly { readonly way: ServerWay; readonly problem: string | undefined }[]
  readonly way: ServerWay
  readonly inputs: readonly AskedInput[]
  readonly plan: InstallPlan
  readonly findings: readonly Finding[]
  readonly secrets: SecretPlace
}

/** Nothing is written, fetched or run. Throws where the server is refused. */
export const planServer = (found: FoundServer, wish: InstallWish, config: Pick<Config, 'storage'>): PlannedServer => {
  const { server } = found.listed
  const source = wish.as ?? sourceNameOf(server.name)
  const problem = nameProblem(source)
  if (problem !== undefined)
    throw new GatewayError(
      'CONFIG_INVALID',
      say(`'${source}' cannot be its name: ${problem}.`, `“${source}”不能作为它的名称：${problem}。`),
    )
  const all = waysOf(server)
  const way = chooseWay(all, wish.way, wish.rules)
  const secrets = secretPlaceOf(config)
  const plan = planInstall({
    registry: found.registry.url,
    listed: found.listed,
    way,
    answers: wish.answers ?? {},
    rules: wish.rules,
    secretReference: (input) => secrets.reference(source, input),
  })
  return {
    ...found,
    source,
    way,
    ways: all.map((each) => ({ way: each, problem: saidOf(wayProblem(each, wish.rules)) })),
    inputs: inputsOf(way),
    plan,
    findings: findingsIn(server),
    secrets,
  }
}

const saidOf = (words: { readonly en: string; readonly zh: string } | undefined): string | undefined =>
  words && say(words.en, words.zh)

/** `io.github.someone/weather-mcp` is called `weather-mcp`. */
export const sourceNameOf = (name: string): string => (name.split('/').at(-1) ?? name).slice(0, 64)

/** A version is never a range: what is typed after `@` is one, or `latest`, which the registry says. */
export const parseServerWord = (word: string): { readonly name: string; readonly version: string | undefined } => {
  const at = word.indexOf('@')
  const name = at < 0 ? word : word.slice(0, at)
  if (!isServerName(name))
    throw new GatewayError(
      'SOURCE_INVALID',
      say(
        `'${name.slice(0, 80)}' is no name of a server: it is namespace/name, as in io.github.someone/weather. To look for words: pegboard registry search`,
        `“${name.slice(0, 80)}”不是服务器的名称：应为 命名空间/名称，例如 io.github.someone/weather。按词查找：pegboard registry search`,
      ),
    )
  if (at < 0) return { name, version: undefined }
  const version = word.slice(at + 1)
  if (version === '' || /[\s^~<>=*|]|^[xX]$|\.[xX](?:\.|$)/.test(version))
    throw new GatewayError(
      'SOURCE_INVALID',
      say(
        `'${version.slice(0, 40)}' is no single version. Write one, as in ${name}@1.0.2, or none for the newest.`,
        `“${version.slice(0, 40)}”不是单一版本。请写出一个，例如 ${name}@1.0.2，或不写以取最新版本。`,
      ),
    )
  return { name, version: version === 'latest' ? undefined : version }
}

export interface InstallStep {
  /** Writes the entry to where sources are kept; what it throws takes all back. */
  write(entry: Readonly<Record<string, unknown>>): Promise<void>
  readonly isOff: boolean
  /** What a bundle's own manifest asks for, beside what the registry's entry does. */
  readonly bundleConfig?: Readonly<Record<string, string | readonly string[]>> | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((words: string) => void) | undefined
}

/** Does what was planned: secrets to where they are kept, bundles unpacked, the entry written. All of it, or nothing. */
export const installPlanned = async (
  planned: PlannedServer,
  config: Pick<Config, 'storage'>,
  step: InstallStep,
): Promise<Readonly<Record<string, unknown>>> => {
  const { plan, source, secrets } = planned
  const [missing] = plan.missing
  if (missing) throw notAnswered(missing, plan.missing)
  const made = plan.bundle ? await withBundle(planned, config, step) : { entry: plan.entry, undo: async () => {} }
  const entry = step.isOff ? { ...made.entry, enabled: false } : made.entry
  const undo = await secrets.keep(source, plan.secrets)
  try {
    await step.write(entry)
  } catch (error) {
    await undo()
    await made.undo()
    throw error
  }
  return entry
}

const withBundle = async (
  { plan, source }: PlannedServer,
  config: Pick<Config, 'storage'>,
  { signal, onProgress, bundleConfig }: InstallStep,
): Promise<{ readonly entry: Readonly<Record<string, unknown>>; undo(): Promise<void> }> => {
  const installer = await bundleInstallerOf(config)
  if (installer === undefined)
    throw new GatewayError(
      'SOURCE_INVALID',
      say('MCPB bundles cannot be unpacked by this version.', '此版本不能解开 MCPB bundle。'),
    )
  const env = (plan.entry.env ?? {}) as Readonly<Record<string, string>>
  const { entry, undo } = await installer.install({
    ...plan.bundle!,
    name: source,
    userConfig: { ...env, ...bundleConfig },
    signal,
    onProgress,
  })
  const { registry, description } = plan.entry
  return { entry: { description, ...entry, env: { ...(entry.env as object), ...env }, registry }, undo }
}

/** Which answer is missing, and how it is given. */
export const notAnswered = (first: AskedInput, all: readonly AskedInput[]): GatewayError => {
  const flag = { env: '--env', arg: '--arg', runtime: '--arg', url: '--arg', header: '--header' }[first.place]
  const sign = first.place === 'header' ? ':' : '='
  const names = all.map(({ name }) => name).join(', ')
  return new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `It needs ${names}. Give it with: ${flag} '${first.name}${sign}value'`,
      `它需要 ${names}。用 ${flag} '${first.name}${sign}value' 给出。`,
    ),
    { details: { missing: all.map(({ key }) => key) } },
  )
}
