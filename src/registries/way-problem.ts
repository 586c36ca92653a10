import { type BothWords, both } from '../model/both-words.js'
import { plainRuntime, wordsOf } from './argument-words.js'
import { foreignHost } from './package-host.js'
import { isPackageType, packageNameProblem, packageTypes, short } from './package-names.js'
import { refused } from './refusal.js'
import { hintProblem, isSteering, runnerFor, runtimeProblem, shellLineProblem } from './runtime-words.js'
import type { ServerArgument, ServerPackage, ServerRemote } from './server-json.js'
import { inputsOf, type ServerWay } from './ways.js'

/** What an operator said yes to beyond what is usual. */
export interface WayRules {
  /** Hosts of package registries beside the public ones. */
  readonly packageHosts?: readonly string[] | undefined
}

/** Why a way is not taken, or undefined. Only the publisher's own words are judged; answers are checked when they come. */
export const wayProblem = (way: ServerWay, rules: WayRules = {}): BothWords | undefined => {
  try {
    inputsOf(way)
  } catch (error) {
    const { message, details } = error as { message: string; details?: { zh?: string | undefined } | undefined }
    return both(message, details?.zh ?? message)
  }
  return way.kind === 'remote' ? remoteProblem(way.remote) : packageProblem(way.package, rules)
}

/** The way that was chosen, or the only one that can be taken. */
export const chooseWay = (ways: readonly ServerWay[], wanted: string | undefined, rules: WayRules = {}): ServerWay => {
  if (ways.length === 0)
    throw refused(both('Its entry has neither a package nor an address.', '它的条目既没有软件包也没有地址。'))
  const named = ways.map(({ id }) => id).join(', ')
  if (wanted !== undefined) {
    const found = ways.find(({ id }) => id === wanted)
    if (!found)
      throw refused(
        both(`There is no '${short(wanted)}' for it; there is: ${named}.`, `它没有“${short(wanted)}”；有：${named}。`),
      )
    const problem = wayProblem(found, rules)
    if (problem) throw refused(problem)
    return found
  }
  const usable = ways.filter((way) => wayProblem(way, rules) === undefined)
  if (usable.length === 0) throw refused(wayProblem(ways[0]!, rules)!)
  return usable[0]!
}

const remoteProblem = ({ url, headers = [] }: ServerRemote): BothWords | undefined => {
  if (!/^https?:\/\/[^\s@]+$|^\{[A-Za-z_]\w*\}\S*$/.test(url))
    return both(`'${short(url)}' is no address that can be used.`, `“${short(url)}”不是可用的地址。`)
  const wrong = headers.find(({ name }) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/.test(name) || isOurs(name))
  return (
    wrong &&
    both(
      `'${short(wrong.name)}' is no header that an entry may set.`,
      `“${short(wrong.name)}”不是条目可以设置的请求头。`,
    )
  )
}

/** Headers that belong to the connection or the protocol. */
const isOurs = (name: string): boolean =>
  /^(?:host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*|mcp-.*|accept)$/i.test(
    name,
  )

const packageProblem = (found: ServerPackage, rules: WayRules): BothWords | undefined => {
  const {
    registryType: type,
    transport,
    runtimeArguments = [],
    packageArguments = [],
    environmentVariables = [],
  } = found
  if (!isPackageType(type))
    return both(
      `Packages of '${short(type)}' are not known here; known are ${packageTypes.join(', ')}.`,
      `不支持“${short(type)}”软件包；支持 ${packageTypes.join('、')}。`,
    )
  if (transport.type !== 'stdio')
    return both(
      `It is started and then spoken to over ${transport.type}, which sources do not do. Start it yourself, and add its URL.`,
      `它启动后要通过 ${transport.type} 通信，来源不支持这种方式。请自行启动它，再添加它的 URL。`,
    )
  const steering = environmentVariables.find(
    ({ name, value, default: usual }) =>
      !/^[A-Za-z_]\w*$/.test(name) || (isSteering(name) && (value ?? usual) !== undefined),
  )
  if (steering)
    return both(
      `It wants to set '${short(steering.name)}', which decides what else is loaded.`,
      `它要设置“${short(steering.name)}”，这会决定还加载什么。`,
    )
  const badFlag = [...runtimeArguments, ...packageArguments].find(
    ({ type: kind, name }) => kind === 'named' && !/^-{0,2}[A-Za-z0-9][\w.:-]*$/.test(name!),
  )
  if (badFlag)
    return both(`'${short(badFlag.name!)}' is not the name of a flag.`, `“${short(badFlag.name!)}”不是选项名称。`)
  return (
    packageNameProblem(type, found) ??
    baseProblem(found, rules) ??
    (type === 'mcpb' ? undefined : commandProblem(type, found))
  )
}

const commandProblem = (
  type: Exclude<(typeof packageTypes)[number], 'mcpb'>,
  { runtimeHint, runtimeArguments = [], packageArguments = [] }: ServerPackage,
): BothWords | undefined => {
  const runner = runnerFor(type, runtimeHint)
  return (
    hintProblem(type, runtimeHint, runtimeArguments.length > 0) ??
    shellLineProblem([...publisherWords(runtimeArguments), ...publisherWords(packageArguments)]) ??
    // As the publisher has it, with a harmless word for each answer.
    runtimeProblem(
      runner,
      plainRuntime(
        type,
        runtimeArguments.flatMap((each) => wordsOf(each, sample(each))),
      ),
    )
  )
}

const publisherWords = (inputs: readonly ServerArgument[]): readonly string[] =>
  inputs.flatMap(({ name, value, default: usual }) => [name, value, usual]).filter((word) => word !== undefined)

const sample = ({ type, value, default: usual, isRequired, format }: ServerArgument): readonly string[] => {
  const text = (value ?? usual)?.replace(/\{[A-Za-z_][A-Za-z0-9_.-]{0,127}\}/g, 'x')
  if (text !== undefined) return [text]
  // A named one without a value is a flag that stands alone, if it is one at all.
  return type === 'positional' || (isRequired && format !== 'boolean') ? ['x'] : ['']
}

/** Packages from elsewhere than the public registries are another's word entirely; somebody has to have asked for it. */
const baseProblem = (found: ServerPackage, { packageHosts = [] }: WayRules): BothWords | undefined => {
  const host = foreignHost(found)
  if (host === undefined || packageHosts.includes(host)) return undefined
  return both(
    `Its package comes from '${short(host)}' and not from the public registry. If you know that host, say so: --package-host ${short(host)}`,
    `它的软件包来自“${short(host)}”，而不是公共仓库。如果你了解该主机，请指明：--package-host ${short(host)}`,
  )
}
