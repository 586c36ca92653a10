import { defined } from '../../model/json.js'
import { packageNameProblem } from '../../registries/package-names.js'
import type { NamedServerInput, ServerPackage } from '../../registries/server-json.js'
import { hasSecretShape } from '../../telemetry/secret-shapes.js'
import { namesSecret, openArguments, orNothing } from './written-words.js'

/** A command as it is written. */
export interface WrittenCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The package that a command starts, if it names exactly one by one version, and nothing of this machine beside it. */
export const packageOf = ({ command, args, env }: WrittenCommand): ServerPackage | undefined => {
  const read = Object.hasOwn(readers, command) ? readers[command]!(args) : undefined
  if (!read) return undefined
  const { words, passed = [], ...named } = read
  const variables = [...new Set([...Object.keys(env), ...passed])]
  const found: ServerPackage = defined({
    ...named,
    transport: { type: 'stdio' as const },
    packageArguments: orNothing(openArguments(words)),
    environmentVariables: orNothing(variables.map((name) => variableInput(name, env[name] ?? ''))),
  })
  return packageNameProblem(named.registryType, found) === undefined ? found : undefined
}

interface Read extends Pick<ServerPackage, 'identifier' | 'version' | 'runtimeHint'> {
  readonly registryType: 'npm' | 'pypi' | 'oci'
  /** What follows the package. */
  readonly words: readonly string[]
  /** Variables that are handed on by name. */
  readonly passed?: readonly string[] | undefined
}

type Reader = (args: readonly string[]) => Read | undefined

const npx: Reader = (args) => {
  const at = args.findIndex((word) => !['-y', '--yes', '-q', '--quiet'].includes(word))
  const [, identifier, version] = /^(@?[^@]+)@([^@]+)$/.exec(args[at] ?? '') ?? []
  if (identifier === undefined) return undefined
  return { registryType: 'npm', identifier, version, runtimeHint: 'npx', words: args.slice(at + 1) }
}

const uvx: Reader = (args) => {
  const [from, ...rest] = args[0] === '--from' ? args.slice(1) : args
  const [, identifier, version] = /^([^=@\s]+)(?:==|@)([^=@\s]+)$/.exec(from ?? '') ?? []
  if (identifier === undefined) return undefined
  if (args[0] !== '--from') return { registryType: 'pypi', identifier, version, runtimeHint: 'uvx', words: rest }
  // Who runs it elsewhere runs the command that has the name of the package.
  if (rest[0] !== identifier) return undefined
  return { registryType: 'pypi', identifier, version, runtimeHint: 'uvx', words: rest.slice(1) }
}

const docker: Reader = ([verb, ...args]) => {
  if (verb !== 'run') return undefined
  const passed: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (['-i', '--interactive', '--rm', '--init'].includes(word)) continue
    if (word === '-e' || word === '--env') {
      // With a value it would be written out; without one it is the variable of this name.
      if (!/^\w+$/.test(args[++at] ?? '')) return undefined
      passed.push(args[at]!)
      continue
    }
    if (word.startsWith('-') || !/@sha256:[0-9a-f]{64}$/.test(word)) return undefined
    return { registryType: 'oci', identifier: word, runtimeHint: 'docker', words: args.slice(at + 1), passed }
  }
  return undefined
}

const readers: Readonly<Record<string, Reader>> = { npx, uvx, docker }

const variableInput = (name: string, written: string): NamedServerInput => ({
  name,
  isRequired: true,
  isSecret: namesSecret(name) || holdsSecret(written),
})

const holdsSecret = (written: string): boolean => /\$\{(?:file|cmd|keychain):/.test(written) || hasSecretShape(written)
