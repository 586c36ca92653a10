import { rm } from 'node:fs/promises'
import { type Bundle, openBundle } from '../../bundles/bundle.js'
import { type LaunchEntry, type LaunchPlace, launchOf, placesOf } from '../../bundles/launch.js'
import { assertVersion, BundleShelf, toBundleName } from '../../bundles/shelf.js'
import { assertRunnable } from '../../bundles/starter.js'
import { type GivenValues, readUserValues, type UserValues } from '../../bundles/user-values.js'
import { maskUrl } from '../../config/secrets.js'
import { escapeText } from '../../config/variables.js'
import { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { say } from '../locale.js'

/** Where bundles are kept, and on what machine they shall run. */
export interface BundlePlace {
  readonly dataFolder: string
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly clock: Pick<Clock, 'wall'>
}

export interface BundleChoice {
  /** The path or address it came from, to be remembered. */
  readonly from: string
  readonly bytes: Buffer
  readonly sha256?: string | undefined
  /** What it is called here. Default: its own name, in plain letters. */
  readonly name?: string | undefined
  /** As a registry calls it. Default: the manifest's. */
  readonly version?: string | undefined
  readonly userConfig?: GivenValues | undefined
}

/** A bundle that was checked, with what would be written; nothing is yet. */
export interface CheckedBundle {
  readonly bundle: Bundle
  readonly name: string
  readonly version: string
  readonly folder: string
  /** The source as it is written into a configuration: no secret stands in it. */
  readonly entry: LaunchEntry
  /** Unpacks it and keeps its secrets. Whoever cannot write the entry afterwards takes it back by `undo`. */
  write(): Promise<{ undo(): Promise<void> }>
}

/** Checks a bundle, its hash, its answers and whether it can run here; says no before anything is written. */
export const planBundle = async (choice: BundleChoice, place: BundlePlace): Promise<CheckedBundle> => {
  const bundle = await openBundle(choice.bytes, { sha256: choice.sha256 })
  assertRunnable(bundle, place.platform)
  const name = toBundleName(choice.name ?? bundle.manifest.name)
  const version = assertVersion(choice.version ?? bundle.manifest.version)
  const shelf = new BundleShelf(place.dataFolder, place.platform)
  const launch = launchPlaceOf(shelf, name, version, place)
  const values = readUserValues(bundle.manifest, choice.userConfig ?? {}, expander(launch))
  return {
    ...{ bundle, name, version, folder: launch.folder },
    entry: launchOf(bundle.manifest, values, launch),
    write: () => write(shelf, { name, version, bundle, values, from: choice.from, clock: place.clock }),
  }
}

const launchPlaceOf = (shelf: BundleShelf, name: string, version: string, place: BundlePlace): LaunchPlace => ({
  folder: shelf.folderOf(name, version),
  platform: place.platform,
  home: place.home,
  literal: escapeText,
  secret: (key) => fileReference(shelf.secretFile(name, key)),
})

const fileReference = (file: string): string => {
  if (!/[{}$]|:-/.test(file)) return `\${file:${file}}`
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      `Secrets of a bundle cannot be kept below ${file}: a configuration cannot name that path. Choose another data folder, or give the secret as a reference: --set KEY='\${NAME}'`,
      `扩展包的机密无法保存在 ${file} 下：配置中无法写出该路径。请换一个数据文件夹，或以引用给出机密：--set KEY='\${NAME}'`,
    ),
  )
}

/** Defaults may name a few folders of this machine. */
const expander = (launch: LaunchPlace): ((text: string) => string) => {
  const places = placesOf(launch)
  return (text) =>
    text.replace(/\$\{([^{}]*)\}/g, (written, name: string) => (Object.hasOwn(places, name) ? places[name]! : written))
}

interface Writing {
  readonly name: string
  readonly version: string
  readonly bundle: Bundle
  readonly values: UserValues
  readonly from: string
  readonly clock: Pick<Clock, 'wall'>
}

const write = async (
  shelf: BundleShelf,
  { name, version, bundle, values, from, clock }: Writing,
): Promise<{ undo(): Promise<void> }> => {
  const secrets = [...values].flatMap(([key, value]) => (value.kind === 'secret' ? [[key, value.value] as const] : []))
  const put = await shelf.put(name, version, bundle, {
    sha256: bundle.sha256,
    from: maskUrl(from),
    installedAt: new Date(clock.wall()).toISOString(),
    isSigned: bundle.isSigned,
  })
  for (const [key, value] of secrets) await shelf.keepSecret(name, key, value)
  return {
    undo: async () => {
      if (put === 'present') return
      for (const [key] of secrets) await rm(shelf.secretFile(name, key), { force: true })
      await shelf.removeVersion(name, version)
    },
  }
}
