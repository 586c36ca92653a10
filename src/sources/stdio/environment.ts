import { GatewayError } from '../../errors.js'

/** Carries the instance mark into every descendant, so that the sweep can tell whose orphan a process is. */
export const instanceVariable = 'PEGBOARD_INSTANCE'

/** Carries the configurations of the gateways above a process down to it, so that none starts itself below itself. */
export const ancestryVariable = 'PEGBOARD_ABOVE'

export type InheritedEnvironment = Readonly<Record<string, string | undefined>>

export interface EnvironmentOptions {
  /** Our own environment, of which only harmless, needed variables pass. */
  readonly host: InheritedEnvironment
  /** What the operator declared for this source. It wins over the host's, but never over the mark. */
  readonly declared?: Readonly<Record<string, string>> | undefined
  readonly mark: string
  readonly platform?: NodeJS.Platform | undefined
}

/**
 * The environment of a child (T24). Inheriting everything would hand every source the gateway's database address, admin
 * key and the secrets of all other sources.
 */
export const childEnvironment = (options: EnvironmentOptions): Record<string, string> => {
  const windows = (options.platform ?? process.platform) === 'win32'
  // No prototype: a declared `__proto__` is a name like any other.
  const environment: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(options.host)) {
    if (value !== undefined && passes(name, windows) && !isShellFunction(value)) environment[name] = value
  }
  for (const [name, value] of Object.entries(options.declared ?? {})) {
    checkVariable(name, value)
    if (windows) removeOtherSpellings(environment, name)
    environment[name] = value
  }
  environment[instanceVariable] = options.mark
  return environment
}

const posixNames = new Set(['HOME', 'PATH', 'SHELL', 'TERM', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'TMPDIR', 'TZ'])
const windowsNames = new Set([
  'ALLUSERSPROFILE',
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
])

const passes = (name: string, windows: boolean): boolean =>
  name === ancestryVariable ||
  (windows ? windowsNames.has(name.toUpperCase()) : posixNames.has(name) || name.startsWith('LC_'))

// Exported bash functions travel as variables whose value begins like this; no child needs to evaluate ours.
const isShellFunction = (value: string): boolean => value.startsWith('()')

const checkVariable = (name: string, value: unknown): void => {
  if (name === '' || name.includes('=') || name.includes('\0')) {
    throw new GatewayError('SOURCE_INVALID', `The variable name ${JSON.stringify(name)} cannot be set: rename it.`)
  }
  if (typeof value !== 'string' || value.includes('\0')) {
    throw new GatewayError('SOURCE_INVALID', `The variable ${name} must be text without NUL characters.`, {
      details: { variable: name },
    })
  }
}

/** Windows knows one variable whatever the case; two spellings would leave the choice to chance. */
const removeOtherSpellings = (environment: Record<string, string>, name: string): void => {
  for (const other of Object.keys(environment)) {
    if (other !== name && other.toUpperCase() === name.toUpperCase()) delete environment[other]
  }
}
