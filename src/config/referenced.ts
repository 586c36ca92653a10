import { GatewayError } from '../errors.js'
import { type Reference, referencesIn, splitCommand, variablesIn } from './variables.js'

/** What the texts of a configuration name besides what they say: nothing of it is read or run to find this out. */
export interface NamedOutside {
  /** Variables of the environment, by name. */
  readonly env: readonly string[]
  /** Paths as they are written. */
  readonly files: readonly string[]
  /** Programs with their arguments, each as it would be started. */
  readonly commands: readonly (readonly string[])[]
  /** `service/account`. */
  readonly keychain: readonly string[]
}

/** What any value of a configuration refers to, each once and in order: what reading it would read and start (T16). */
export const referencedIn = (config: unknown): NamedOutside => {
  const env = new Set<string>()
  for (const text of textsIn(config)) for (const name of variablesIn(text)) env.add(name)
  const named = distinctReferences(config)
  const of = (from: Reference['from']): string[] => named.filter((each) => each.from === from).map(({ what }) => what)
  return {
    env: [...env].sort(),
    files: of('file').sort(),
    commands: of('cmd')
      .sort()
      .map((line) => splitCommand(line) ?? []),
    keychain: of('keychain').sort(),
  }
}

/** Every `${file:…}`, `${cmd:…}` and `${keychain:…}` of a value, each once. */
export const distinctReferences = (config: unknown): readonly Reference[] => {
  const found = new Map<string, Reference>()
  for (const text of textsIn(config))
    for (const reference of referencesIn(text)) found.set(`${reference.from}:${reference.what}`, reference)
  return [...found.values()]
}

/**
 * Refuses what would read a file, run a program or ask the keychain: those who may change settings and profiles from afar
 * need not have the right to start anything.
 */
export const refuseReferences = (value: unknown): void => {
  const [first] = distinctReferences(value)
  if (first === undefined) return
  throw new GatewayError(
    'CONFIG_INVALID',
    `"\${${first.from}:…}" cannot be written here; write it into the configuration file where the gateway runs.`,
  )
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (value.includes('$')) yield value
  } else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* textsIn(item)
}
