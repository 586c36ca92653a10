import { homedir } from 'node:os'
import type { ConfigNote, Path } from './problems.js'
import { type PlacedSetting, settingsIn, type Table } from './settings/setting.js'
import { type ConfigFlags, settings } from './settings/table.js'
import type { Environment } from './variables.js'

/** A name that we are started by and that brings defaults of its own (document 002). */
export type ProgramName = 'registry-tools'

/** A setting from outside the file, and what to call it in a message. */
export interface Override {
  readonly path: Path
  readonly value: unknown
  readonly from: string
}

export interface Layers {
  readonly overrides: readonly Override[]
  readonly notes: readonly ConfigNote[]
  /** Used where neither the file nor an override says anything: what document 002 falls back to. */
  readonly fallbacks: readonly Override[]
}

/** What can be set from outside the file, and by what. The reference pages are made from it. */
export const outsideSettings = (table: Table = settings) =>
  settingsIn(table)
    .map(({ path, flag, env = [], lenientEnv = [] }) => ({ path, flag: flag?.name, env: [...env, ...lenientEnv] }))
    .filter(({ flag, env }) => flag !== undefined || env.length > 0)

/** Flags and environment as settings; a flag goes before a variable of the same meaning (C15). */
export const readLayers = (
  flags: ConfigFlags,
  env: Environment,
  program?: ProgramName,
  table: Table = settings,
): Layers => {
  const notes: ConfigNote[] = []
  const overrides = settingsIn(table).flatMap(
    (setting): readonly Override[] =>
      fromFlag(setting, flags, env) ?? fromEnvironment(setting, env) ?? fromShared(setting, env, notes) ?? [],
  )
  return { overrides, notes, fallbacks: fallbacks(env, program) }
}

/** `~` and `~/x` at the home folder of the environment we were given. */
export const expandHome = (path: string, env: Environment): string =>
  path === '~' || path.startsWith('~/') || path.startsWith('~\\')
    ? (env.HOME ?? env.USERPROFILE ?? homedir()) + path.slice(1)
    : path

/** A flag as it is typed. */
export const toFlag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

type Found = readonly [Override] | undefined

const fromFlag = ({ path, flag, kind }: PlacedSetting, flags: ConfigFlags, env: Environment): Found => {
  const given = flag && (flags as Readonly<Record<string, unknown>>)[flag.name]
  if (flag === undefined || given === undefined) return undefined
  return [{ path, value: typeof given === 'string' ? kind.read(given, env) : given, from: toFlag(flag.name) }]
}

const fromEnvironment = ({ path, kind, env: names = [] }: PlacedSetting, env: Environment): Found => {
  const from = names.find((name) => env[name]?.trim())
  return from === undefined ? undefined : [{ path, value: kind.read(env[from]!, env), from }]
}

/** Of variables that others read too a wrong word is noted and skipped (002). */
const fromShared = ({ lenientEnv, ...setting }: PlacedSetting, env: Environment, notes: ConfigNote[]): Found => {
  const found = fromEnvironment({ ...setting, env: lenientEnv }, env)
  const { choices } = setting.kind
  if (!found || !choices || choices.includes(String(found[0].value))) return found
  notes.push({ path: found[0].from, message: `is not one of ${choices.join(', ')}; it is ignored` })
  return undefined
}

/** 002-15, 002 compat 10: its own variable, empty or wrong, means its own default, and so does its name. */
const fallbacks = (env: Environment, program: ProgramName | undefined): readonly Override[] => {
  const from = env.REGISTRYTOOLS_SEARCH_METHOD === undefined ? program : 'REGISTRYTOOLS_SEARCH_METHOD'
  return from === undefined ? [] : [{ path: ['search', 'method'], value: 'bm25', from }]
}
