import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { type ConfigChange, withChanges, withoutOwn } from './config-change.js'
import { ownDataFolder } from './data-folder.js'
import { readFastMcp } from './fastmcp.js'
import { type FoundBy, findConfigFile } from './find.js'
import { type Fingerprint, fingerprintOf } from './fingerprint.js'
import { type HardCodedSecret, hardCodedSecrets } from './hard-coded.js'
import { expandHome, type Layers, type Override, type ProgramName, readLayers } from './layers.js'
import { type LookedUp, lookUp } from './look-up.js'
import { inUse, normaliseConfig } from './normalise.js'
import { type ConfigDocument, parseConfig } from './parse.js'
import { type ConfigNote, type ConfigProblem, configError, formatPath, type Path } from './problems.js'
import { contentHash, readConfigBytes } from './read.js'
import { pathSettings } from './resolve-paths.js'
import type { Config } from './schema.js'
import { type ConfigFlags, noFlags } from './settings/table.js'
import type { Environment } from './variables.js'

export interface LoadOptions {
  /** The file to read, `--config`. Default: PEGBOARD_CONFIG, MCP_AGENT_CONFIG, pegboard.json … in `cwd`, then the user's own. */
  readonly file?: string | undefined
  /** False leaves out those in `cwd`. Default: true. */
  readonly here?: boolean | undefined
  readonly cwd: string
  readonly env: Environment
  readonly flags?: ConfigFlags | undefined
  /** The name we were started by, where it brings defaults of its own. */
  readonly program?: ProgramName | undefined
  /** Where data goes when neither flag, environment nor file say it. Default: the platform's place for this user. */
  readonly dataFolder?: string | undefined
  /**
   * Default true: whatever is wrong is an error, as `check` wants it. With false, for what starts and reloads, what is wrong
   * with one source sets only that source aside (F28, U2). Switched-off sources never need their variables.
   */
  readonly strict?: boolean | undefined
  /** Who named `file`. Default: a flag. */
  readonly foundBy?: FoundBy | undefined
  /**
   * Asked before anything that the file names is read or run: the sources whose references are not to be looked up, or
   * that none are. Where the file may not be used at all, it throws. Default: everything may be looked up.
   */
  readonly withhold?: ((written: WrittenConfig) => Promise<readonly string[] | 'all'>) | undefined
  /** What operators changed from afar, over the file. Default: nothing. */
  readonly changes?: readonly ConfigChange[] | undefined
  /** What was read before: while the file is the same, its commands are not run again. Files that it names are read anew. */
  readonly before?: Pick<LoadedConfig, 'hash' | 'lookedUp'> | undefined
}

/** A file as it is written: nothing that it names was read or run. */
export interface WrittenConfig {
  /** Absolute path of the file that was read; undefined when the defaults are the configuration. */
  readonly file: string | undefined
  /** Who named that file; `folder` is nobody. Undefined without a file. */
  readonly foundBy: FoundBy | undefined
  /** What it would start, lead to or open, so that a yes can be kept to exactly that. Made when asked. */
  fingerprint(): Fingerprint
}

export interface LoadedConfig extends WrittenConfig {
  readonly config: Config
  /** Names the content that was read, for `watchConfig`; undefined without a file. */
  readonly hash: string | undefined
  readonly dataFolder: string
  /** What to log: ignored keys, fallbacks. */
  readonly notes: readonly ConfigNote[]
  /** Sources that cannot be used as they are written, each with what is wrong; empty where `strict`. */
  readonly problems: readonly ConfigProblem[]
  /** One more problem at a place of the configuration, in the words of the file. */
  report(path: Path, message: string): ConfigProblem
  /** For `redacted`: the placeholders behind the values. */
  readonly references: ReadonlyMap<string, string>
  /** What `${file:…}`, `${cmd:…}` and `${keychain:…}` of the file stand for. */
  readonly lookedUp: LookedUp
  /** Secrets that stand in the file as they are. Looked for when asked. */
  hardCoded(): readonly HardCodedSecret[]
  /** Its file is in the xiaozhi MCP Agent format, whose `services` no other has: that program's users know its log (001-17). */
  readonly isAgentFormat?: boolean | undefined
}

/** Finds and reads a file, and no more. */
export const readWritten = async (
  options: Pick<LoadOptions, 'file' | 'foundBy' | 'here' | 'cwd' | 'env' | 'changes'>,
) => {
  const { here, cwd, file: named, changes = [] } = options
  const found = await findConfigFile({ named, cwd, env: options.env, here })
  const { file } = found
  const bytes = file === undefined ? undefined : await readConfigBytes(file)
  const shownName = file === undefined ? 'the configuration' : displayName(file, cwd)
  const document = bytes === undefined ? noFile : await parseConfig(bytes, shownName)
  const fastMcp = readFastMcp(withChanges(document.value, changes))
  const asked = changes.length === 0 ? fastMcp : readFastMcp(withoutOwn(document.value, changes))
  const written: WrittenConfig = {
    file,
    foundBy: (named !== undefined ? options.foundBy : undefined) ?? found.by,
    fingerprint: () => fingerprintOf(asked.raw, asked.env),
  }
  return { written, document, fastMcp, shownName, notes: found.notes, hash: bytes && contentHash(bytes) }
}

/** Flags over environment over file over defaults, as one frozen Config. Throws a GatewayError that lists every problem. */
export const loadConfig = async (options: LoadOptions): Promise<LoadedConfig> => {
  const { cwd } = options
  const read = await readWritten(options)
  const { written, document, fastMcp, shownName, hash } = read
  const { file } = written
  const env = { ...fastMcp.env, ...options.env }
  const folder = file === undefined ? cwd : dirname(file)
  const dataFolder = options.dataFolder ?? (await ownDataFolder(env, options.program))
  const layers = fromFolder(readLayers(options.flags ?? noFlags, env, options.program), cwd, env)
  const withheld = (await options.withhold?.(written)) ?? []
  // From here on the file's word counts: what it names is read and run.
  const lookedUp = await lookUp(withheld === 'all' ? {} : inUse(fastMcp.raw, layers, withheld), {
    folder,
    env: options.env,
    before: options.before?.hash === hash ? options.before?.lookedUp.values : undefined,
  })
  const { config, notes, ...more } = normaliseConfig(fastMcp.raw, {
    env: withBuiltIns(env, folder),
    lookUps: lookedUp.values,
    layers,
    folder,
    dataFolder,
    program: options.program,
    strict: options.strict ?? true,
    subject: shownName,
    where: document.where,
  })
  const ruleNotes = await checkRules(config, more.report, shownName)
  return {
    config,
    file,
    foundBy: written.foundBy,
    fingerprint: written.fingerprint,
    hash,
    dataFolder: config.storage.path,
    notes: [...read.notes, ...fastMcp.notes, ...lookedUp.notes, ...notes, ...ruleNotes],
    lookedUp,
    ...more,
    hardCoded: () => hardCodedSecrets(document.value, document.where),
    isAgentFormat: 'services' in document.value,
  }
}

/** Loaded only where there are rules. */
const checkRules = async (
  config: Config,
  report: LoadedConfig['report'],
  subject: string,
): Promise<readonly ConfigNote[]> => {
  if (!hasRules(config)) return []
  const { ruleNotes, ruleProblems } = await import('./check-rules.js')
  const problems = ruleProblems(config, report)
  if (problems.length > 0) throw configError(problems, subject)
  return ruleNotes(config)
}

/** Whether anybody is held to rules over what calls send. */
export const hasRules = ({ rules, profiles }: Config): boolean =>
  rules.length > 0 || Object.values(profiles).some((profile) => profile.rules.length > 0)

const noFile: ConfigDocument = { value: {}, where: (path) => formatPath(path) }

const displayName = (file: string, cwd: string): string => {
  const near = relative(cwd, file)
  return near.startsWith('..') || isAbsolute(near) ? file : near
}

/** Cursor and VS Code resolve these; where a file is shared with them, so do we. Real variables go first. */
const withBuiltIns = (env: Environment, folder: string): Environment => ({
  userHome: env.HOME ?? env.USERPROFILE ?? homedir(),
  workspaceFolder: folder,
  workspaceFolderBasename: basename(folder),
  pathSeparator: sep,
  '/': sep,
  ...env,
})

const isPathAt = (path: Path): boolean => pathSettings.some(({ place }) => place === path.join('.'))

/** A relative path that was typed starts where it was typed, not at the file. */
const fromFolder = (layers: Layers, cwd: string, env: Environment): Layers => ({
  ...layers,
  overrides: layers.overrides.map((override: Override) =>
    isPathAt(override.path) && typeof override.value === 'string'
      ? { ...override, value: resolve(cwd, expandHome(override.value, env)) }
      : override,
  ),
})
