import { type BothWords, both } from '../model/both-words.js'
import { defined } from '../model/json.js'
import { visibleText } from '../telemetry/visible-text.js'
import { plainRuntime, wordsOf } from './argument-words.js'
import { addressCautions, packageCautions, standingCautions } from './cautions.js'
import {
  type AnswerWriter,
  type AskedInput,
  type FilledInput,
  fillInput,
  fillTemplate,
  type InputAnswers,
  isReference,
  type PlacedInput,
} from './inputs.js'
import { escaped, originOf } from './origin.js'
import { foreignHost, imageOf } from './package-host.js'
import { short } from './package-names.js'
import { refused } from './refusal.js'
import { runnerFor, runtimeProblem } from './runtime-words.js'
import type { ListedServer, ServerArgument, ServerPackage, ServerRemote } from './server-json.js'
import { type WayRules, wayProblem } from './way-problem.js'
import { inputsOf, placedInputs, type ServerWay, urlInputs } from './ways.js'

export interface PlanRequest {
  /** The registry that was asked. */
  readonly registry: string
  readonly listed: ListedServer
  readonly way: ServerWay
  readonly answers: InputAnswers
  readonly rules?: WayRules | undefined
  /** What is written into the configuration instead of a secret. */
  secretReference(input: AskedInput): string
}

/** A secret that was typed, and what stands for it. */
export interface PlannedSecret {
  readonly input: AskedInput
  readonly value: string
  readonly reference: string
}

/** A bundle has to be fetched before it is known what it runs. */
export interface PlannedBundle {
  readonly url: string
  readonly sha256: string
  readonly version: string
}

/** What a server of a registry would be here, before anything is done. */
export interface InstallPlan {
  /** As it would be written. While something is missing, `<NAME>` stands for it. */
  readonly entry: Readonly<Record<string, unknown>>
  /** The exact command or address, for people. */
  readonly runs: string
  readonly missing: readonly AskedInput[]
  readonly secrets: readonly PlannedSecret[]
  readonly cautions: readonly BothWords[]
  readonly bundle: PlannedBundle | undefined
}

/** A version of a server as a source entry. Pure: the same answers give the same entry. Throws where it is refused. */
export const planInstall = (request: PlanRequest): InstallPlan => {
  const { listed, way, answers, rules } = request
  if (listed.standing.status === 'deleted')
    throw refused(
      both(`'${listed.server.name}' was deleted from its registry.`, `“${listed.server.name}”已从其注册表中删除。`),
    )
  const problem = wayProblem(way, rules)
  if (problem) throw refused(problem)
  refuseUnknown(answers, inputsOf(way))
  const secrets: PlannedSecret[] = []
  const writer = writerOf(request, secrets)
  const made = way.kind === 'remote' ? ofRemote(way.remote, request, writer) : ofPackage(way.package, request, writer)
  return {
    entry: defined({ ...made.entry, description: aboutOf(listed), registry: originOf(request, writer) }),
    runs: made.runs,
    missing: made.missing,
    secrets: [...new Map(secrets.map((each) => [each.input.key, each])).values()],
    cautions: [...made.cautions, ...standingCautions(listed)],
    bundle: made.bundle,
  }
}

type Made = Omit<InstallPlan, 'secrets'>

const refuseUnknown = (answers: InputAnswers, asked: readonly AskedInput[]): void => {
  const unknown = Object.keys(answers).find((key) => !asked.some((input) => input.key === key))
  if (unknown === undefined) return
  const names = asked.map(({ key }) => key).join(', ') || '–'
  throw refused(
    both(
      `It does not ask for '${short(unknown)}'; it asks for: ${names}.`,
      `它不需要“${short(unknown)}”；需要的是：${names}。`,
    ),
  )
}

/** Nothing of a publisher's or a person's text is read as a reference, but an answer that is one as a whole. */
const writerOf = ({ secretReference }: PlanRequest, secrets: PlannedSecret[]): AnswerWriter => ({
  literal: escaped,
  answer: (input, text) => {
    if (isReference(text)) return text
    if (!input.isSecret) return escaped(text)
    const reference = secretReference(input)
    secrets.push({ input, value: text, reference })
    return reference
  },
})

const ofRemote = (remote: ServerRemote, { way, answers }: PlanRequest, writer: AnswerWriter): Made => {
  const filled = fillAll(placedInputs(way), answers, writer)
  const asked = urlInputs(remote)
  const url = fillTemplate(remote.url, asked, answers, writer)
  const missing = [...asked.filter(({ key, default: usual }) => !answers[key] && !usual), ...missingIn(filled)]
  if (missing.length === 0 && !/^https?:\/\//i.test(url)) throw noAddress(url)
  const headers = Object.fromEntries(
    filled.flatMap(({ placed, values }) => values.map((value) => [placed.name, value])),
  )
  return {
    entry: defined({
      type: remote.type === 'sse' ? 'sse' : 'http',
      url,
      headers: Object.keys(headers).length > 0 ? headers : undefined,
    }),
    runs: url,
    missing,
    cautions: addressCautions(url),
    bundle: undefined,
  }
}

const noAddress = (url: string) =>
  refused(both(`'${short(url)}' is no http address.`, `“${short(url)}”不是 http 地址。`))

const ofPackage = (found: ServerPackage, request: PlanRequest, writer: AnswerWriter): Made => {
  const filled = fillAll(placedInputs(request.way), request.answers, writer)
  const env = Object.fromEntries(
    filled.flatMap(({ placed, values }) => (placed.place === 'env' ? values.map((value) => [placed.name, value]) : [])),
  )
  const common = { env: Object.keys(env).length > 0 ? env : undefined }
  const missing = missingIn(filled)
  if (found.registryType === 'mcpb') {
    const bundle = {
      url: found.identifier,
      sha256: found.fileSha256!,
      version: found.version ?? request.listed.server.version,
    }
    return { entry: defined({ type: 'stdio', ...common }), runs: bundle.url, missing, cautions: [], bundle }
  }
  const wordsAt = (place: string): readonly string[] =>
    filled.flatMap(({ placed, values }) =>
      placed.place === place ? wordsOf(placed.input as ServerArgument, values) : [],
    )
  const runtime = plainRuntime(found.registryType, wordsAt('runtime'))
  const runner = runnerFor(found.registryType as 'npm', found.runtimeHint)
  // Once more with the answers in it: a flag must not come in as one.
  const problem = missing.length === 0 ? runtimeProblem(runner, runtime) : undefined
  if (problem) throw refused(problem)
  const args = assemble[found.registryType as keyof typeof assemble](found, runtime, wordsAt('arg'), Object.keys(env))
  const words = [runner.command, ...args]
  return {
    entry: defined({ type: 'stdio', command: runner.command, args, ...common }),
    runs: words.map(quoted).join(' '),
    missing,
    cautions: packageCautions(found),
    bundle: undefined,
  }
}

type Assemble = (
  found: ServerPackage,
  runtime: readonly string[],
  own: readonly string[],
  variables: readonly string[],
) => readonly string[]

const from = (found: ServerPackage, flag: string): readonly string[] =>
  foreignHost(found) === undefined ? [] : [flag, found.registryBaseUrl!]

const without = (words: readonly string[], ...ours: readonly string[]): readonly string[] =>
  words.filter((word) => !ours.includes(word))

/** The words behind each runner: what it is told, what it fetches, what that is told. */
const assemble: Readonly<Record<'npm' | 'pypi' | 'nuget' | 'oci', Assemble>> = {
  npm: (found, runtime, own) => [
    ...without(runtime, '-y', '--yes'),
    ...from(found, '--registry'),
    '-y',
    `${found.identifier}@${found.version}`,
    ...own,
  ],
  pypi: (found, runtime, own) => [
    ...runtime,
    ...from(found, '--default-index'),
    `${found.identifier}@${found.version}`,
    ...own,
  ],
  nuget: (found, runtime, own) => [
    ...without(runtime, '-y', '--yes'),
    ...from(found, '--source'),
    '--yes',
    `${found.identifier}@${found.version}`,
    ...(own.length > 0 ? ['--', ...own] : []),
  ],
  oci: (found, runtime, own, variables) => [
    'run',
    '-i',
    '--rm',
    ...without(runtime, '-i', '--interactive', '--rm'),
    ...variables.flatMap((name) => ['-e', name]),
    imageOf(found),
    ...own,
  ],
}

interface FilledPlace extends FilledInput {
  readonly placed: PlacedInput
}

const fillAll = (placed: readonly PlacedInput[], answers: InputAnswers, writer: AnswerWriter): readonly FilledPlace[] =>
  placed.map((each) => ({ placed: each, ...fillInput(each, answers, writer) }))

const missingIn = (filled: readonly FilledInput[]): readonly AskedInput[] => filled.flatMap(({ missing }) => missing)

const aboutOf = ({ server }: ListedServer): string | undefined =>
  visibleText(server.description).slice(0, 500) || undefined

/** A word as one would type it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./<>-]+$/.test(word) ? word : `'${visibleText(word).replaceAll("'", "'\\''")}'`
