import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isGatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'
import { makeFolder } from '../model/make-folder.js'
import type { Bundle } from './bundle.js'
import { type Manifest, parseManifest } from './manifest.js'
import { refused } from './refusal.js'
import { programsOf } from './starter.js'

/** One bundle that lies unpacked in the data folder. */
export interface ShelvedBundle {
  /** Its folder's name: what it is called here. */
  readonly name: string
  readonly version: string
  readonly folder: string
  readonly manifest: Manifest
  readonly record: InstallRecord
}

/** What was known when it was unpacked. */
export interface InstallRecord {
  readonly sha256: string
  /** A path or an address, without credentials. */
  readonly from: string
  readonly installedAt: string
  readonly isSigned: boolean
}

/**
 * Where bundles lie: `NAME/VERSION/` with the files of each, `NAME/VERSION.json` with what was known of it, and
 * `NAME/secrets/` with what somebody typed that nobody should see. All of it is for its owner alone.
 */
export class BundleShelf {
  readonly #folder: string
  readonly #platform: NodeJS.Platform

  constructor(dataFolder: string, platform: NodeJS.Platform) {
    this.#folder = join(dataFolder, 'bundles')
    this.#platform = platform
  }

  folderOf(name: string, version: string): string {
    return join(this.#folder, name, version)
  }

  /** Where everything of one bundle lies, whatever its version. */
  homeOf(name: string): string {
    return join(this.#folder, name)
  }

  /** The file in which a secret is kept; whether it is there is not said. A key may hold more than a file's name does. */
  secretFile(name: string, key: string): string {
    const safe = /^[A-Za-z0-9_-]{1,64}$/.test(key) ? key : createHash('sha256').update(key).digest('hex').slice(0, 32)
    return join(this.#folder, name, 'secrets', safe)
  }

  async keepSecret(name: string, key: string, value: string): Promise<void> {
    const file = this.secretFile(name, key)
    await makeFolder(dirname(file))
    const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
    await writeFile(draft, value, { mode: 0o600, flag: 'wx' })
    await rename(draft, file)
  }

  /**
   * Unpacks it beside its place and moves it there in one step: either all of it lies there, or nothing does. The same bytes
   * that lie there already are left; others of the same version are refused.
   */
  async put(name: string, version: string, bundle: Bundle, record: InstallRecord): Promise<'unpacked' | 'present'> {
    const folder = this.folderOf(name, version)
    const before = await this.#recordOf(name, version)
    if (before?.sha256 === bundle.sha256 && (await isThere(folder))) return 'present'
    if (await isThere(folder))
      throw refused(
        `version ${version} of '${name}' is installed already, with other contents; remove that first: pegboard bundle uninstall ${name}`,
        `“${name}”的 ${version} 版已安装，但内容不同；请先删除：pegboard bundle uninstall ${name}`,
      )
    await makeFolder(join(this.#folder, name))
    const draft = join(this.#folder, name, `.${randomBytes(6).toString('hex')}.tmp`)
    try {
      await unpackInto(draft, bundle, programsOf(bundle, this.#platform))
      await writeFile(`${folder}.json`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
      await rename(draft, folder)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      await this.removeVersion(name, version)
      throw error
    }
    return 'unpacked'
  }

  /** Those that are there whole, by name and version; what is damaged is left out. */
  async list(): Promise<readonly ShelvedBundle[]> {
    const names = await foldersIn(this.#folder)
    const found = await Promise.all(
      names.map(async (name) => {
        const versions = (await foldersIn(join(this.#folder, name))).filter((each) => each !== 'secrets')
        return Promise.all(versions.map((version) => this.find(name, version)))
      }),
    )
    return found.flat().filter((each) => each !== undefined)
  }

  async find(name: string, version: string): Promise<ShelvedBundle | undefined> {
    const folder = this.folderOf(name, version)
    const record = await this.#recordOf(name, version)
    if (!record) return undefined
    try {
      const manifest = parseManifest(await readFile(join(folder, 'manifest.json')))
      return { name, version, folder, manifest, record }
    } catch (error) {
      if (isGatewayError(error) || isMissing(error)) return undefined
      throw error
    }
  }

  /** One version, and the bundle's own folder with the last of them unless something else lies in it. */
  async removeVersion(name: string, version: string): Promise<void> {
    const folder = this.folderOf(name, version)
    await rm(folder, { recursive: true, force: true })
    await rm(`${folder}.json`, { force: true })
    await rmdir(join(this.#folder, name)).catch(() => {})
  }

  /** Every version and every secret. */
  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { recursive: true, force: true })
  }

  async #recordOf(name: string, version: string): Promise<InstallRecord | undefined> {
    const text = await readFile(`${this.folderOf(name, version)}.json`, 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    try {
      const value: unknown = JSON.parse(text)
      return isRecord(value) && typeof value.sha256 === 'string' ? (value as unknown as InstallRecord) : undefined
    } catch {
      return undefined
    }
  }
}

/** The name of a bundle's folder and of its source: what is left of its own where only plain letters count. */
export const toBundleName = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, 64)
  return plain === '' ? `bundle-${createHash('sha256').update(name).digest('hex').slice(0, 8)}` : plain
}

/** A folder's name out of a version that somebody else wrote. */
export const assertVersion = (version: string): string => {
  if (/^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/.test(version) && version !== 'secrets' && !version.endsWith('.json'))
    return version
  throw refused('its version cannot be the name of a folder', '其版本不能用作文件夹名')
}

const unpackInto = async (folder: string, bundle: Bundle, programs: ReadonlySet<string>): Promise<void> => {
  await mkdir(folder, { mode: 0o700 })
  const made = new Set<string>()
  for (const entry of bundle.entries) {
    const path = join(folder, ...entry.name.split('/'))
    const holder = entry.kind === 'folder' ? path : dirname(path)
    if (!made.has(holder)) await makeFolder(holder)
    made.add(holder)
    if (entry.kind === 'folder') continue
    const bytes = await bundle.unpack(entry)
    // `wx`: a name that is there already is none of ours, whatever the names said.
    const handle = await open(path, 'wx', programs.has(entry.name) ? 0o700 : 0o600)
    try {
      await handle.writeFile(bytes)
    } finally {
      await handle.close()
    }
    if (programs.has(entry.name)) await chmod(path, 0o700)
  }
}

const foldersIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
