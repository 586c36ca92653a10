import { createHash } from 'node:crypto'
import { openBundle } from '../../bundles/bundle.js'
import type { UserOption } from '../../bundles/manifest.js'
import { refused } from '../../bundles/refusal.js'
import { assertRunnable } from '../../bundles/starter.js'
import type { GivenValues } from '../../bundles/user-values.js'
import type { BundleInstaller, BundleRequest } from '../../registries/bundle-installer.js'
import type { NamedServerInput } from '../../registries/server-json.js'
import { say } from '../locale.js'
import { fetchBundle } from './fetch-bundle.js'
import { type BundlePlace, planBundle } from './install-bundle.js'

export interface BundleInstallerOptions extends BundlePlace {
  /** Addresses that may be private, such as those of a registry that the operator wrote down. Default: none. */
  readonly isTrusted?: ((url: URL) => boolean) | undefined
}

/** Bundles as a registry names them: by an address and a hash, without which none is taken. */
export const createBundleInstaller = (options: BundleInstallerOptions): BundleInstaller => {
  // The last one alone: it is asked what it wants, and installed right after.
  let kept: { readonly sha256: string; readonly bytes: Buffer } | undefined
  const bytesOf = async ({ url, sha256, signal, onProgress }: Omit<BundleRequest, 'userConfig'>): Promise<Buffer> => {
    if (!/^[0-9a-f]{64}$/i.test(sha256))
      throw refused(
        'the registry gives no SHA-256 for it, so that nobody can tell what it would be',
        '注册表没有给出它的 SHA-256，无法确认其内容',
      )
    if (kept?.sha256 === sha256.toLowerCase()) return kept.bytes
    onProgress?.(say('Fetching the bundle …', '正在下载扩展包……'))
    const { isTrusted = () => false } = options
    const bytes = await fetchBundle(url, { isTrusted, isPinned: true, signal })
    if (createHash('sha256').update(bytes).digest('hex') === sha256.toLowerCase())
      kept = { sha256: sha256.toLowerCase(), bytes }
    return bytes
  }
  return {
    inputs: async (request) => {
      const bundle = await openBundle(await bytesOf(request), { sha256: request.sha256 })
      assertRunnable(bundle, options.platform)
      return Object.entries(bundle.manifest.user_config ?? {}).map(([name, option]) => toInput(name, option))
    },
    install: async (request) => {
      const { url: from, sha256, name, version } = request
      const bytes = await bytesOf(request)
      kept = undefined
      const userConfig = await askedFor(bytes, request)
      const plan = await planBundle({ from, bytes, sha256, name: lastPart(name), version, userConfig }, options)
      const { undo } = await plan.write()
      return { entry: { ...plan.entry }, folder: plan.folder, undo }
    },
  }
}

/** A registry may ask for more than the manifest does: variables that go to the server as they are. */
const askedFor = async (bytes: Buffer, { sha256, userConfig }: BundleRequest): Promise<GivenValues> => {
  const { manifest } = await openBundle(bytes, { sha256 })
  const known = manifest.user_config ?? {}
  return Object.fromEntries(Object.entries(userConfig).filter(([key]) => Object.hasOwn(known, key)))
}

/** A name in a registry has its owner before the slash. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

const toInput = (name: string, option: UserOption): NamedServerInput => ({
  name,
  description: [option.title, option.description].filter((each) => each !== undefined && each !== '').join(': '),
  isRequired: option.required === true && option.default === undefined,
  isSecret: option.sensitive === true,
  format: formats[option.type],
  ...shownDefault(option.default),
})

/** Several, or one that names a folder of this machine, are filled in by us where nothing is answered. */
const shownDefault = (value: UserOption['default']): Pick<NamedServerInput, 'default' | 'placeholder'> => {
  if (value === undefined) return {}
  if (typeof value === 'object') return { placeholder: value.join(', ') }
  const text = String(value)
  return text.includes('${') ? { placeholder: text } : { default: text }
}

const formats = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  directory: 'filepath',
  file: 'filepath',
} as const
