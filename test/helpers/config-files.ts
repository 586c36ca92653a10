import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { readLayers } from '../../src/config/layers.js'
import { type LoadedConfig, type LoadOptions, loadConfig } from '../../src/config/load.js'
import { normaliseConfig } from '../../src/config/normalise.js'
import { formatPath } from '../../src/config/problems.js'
import { type GatewayError, isGatewayError } from '../../src/errors.js'
import { type Clock, systemClock } from '../../src/model/clock.js'

/** A folder for each test of a file, and configurations in it. */
export interface ConfigFolder {
  readonly path: string
  load(options?: Partial<LoadOptions>): Promise<LoadedConfig>
  /** Writes the file first; what is no text is written as JSON. */
  loadText(text: unknown, options?: Partial<LoadOptions>, name?: string): Promise<LoadedConfig>
}

export const useConfigFolder = (): ConfigFolder => {
  let path = ''
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'config-'))
  })
  afterEach(() => rm(path, { recursive: true, force: true }))
  const load: ConfigFolder['load'] = (options = {}) =>
    loadConfig({ cwd: path, env: {}, dataFolder: join(path, 'data'), ...options })
  return {
    get path() {
      return path
    },
    load,
    loadText: async (text, options = {}, name = 'pegboard.json') => {
      await writeFile(join(path, name), typeof text === 'string' ? text : JSON.stringify(text))
      return load(options)
    },
  }
}

/** The error of a load that must fail. */
export const failure = async (loading: Promise<unknown>): Promise<GatewayError> => {
  const error = await loading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isGatewayError(error)) throw new Error('a GatewayError was expected')
  return error
}

/** A value as the whole file, without a file. */
export const normalised = (
  value: object,
  { env = {}, strict = true }: { readonly env?: Readonly<Record<string, string>>; readonly strict?: boolean } = {},
) =>
  normaliseConfig(value as Record<string, unknown>, {
    env,
    layers: readLayers({}, {}),
    folder: '/etc/board',
    dataFolder: '/data',
    strict,
    subject: 'the file',
    where: formatPath,
  })

/** Longer than any test: what is seen was seen by an event of the file system. */
export const never = 2 ** 31 - 1

/** Real events without waiting: a timer that is due in less than `never` fires in the next turn. */
export const hastyClock: Clock = {
  ...systemClock,
  now: () => 0,
  after: (delayMs, task) => {
    if (delayMs >= never) return () => {}
    const turn = setImmediate(task)
    return () => clearImmediate(turn)
  },
}
