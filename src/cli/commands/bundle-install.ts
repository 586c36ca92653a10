import { openBundle } from '../../bundles/bundle.js'
import type { Manifest } from '../../bundles/manifest.js'
import { BundleShelf } from '../../bundles/shelf.js'
import type { GivenValues } from '../../bundles/user-values.js'
import { GatewayError } from '../../errors.js'
import { defined } from '../../model/json.js'
import { fetchBundle } from '../../serving/bundles/fetch-bundle.js'
import { type BundlePlace, type CheckedBundle, planBundle } from '../../serving/bundles/install-bundle.js'
import { say } from '../../serving/locale.js'
import type { CommonFlags } from '../../serving/read-config.js'
import { noteEdited, sourceDeed } from '../../serving/typed-deeds.js'
import { confirm, isInteractive, print } from '../terminal/terminal.js'
import { hostOf, sourcesOf } from './bundle.js'
import { askMissing, readSet } from './bundle-answers.js'
import { bundlePlaceOf } from './bundle-place.js'
import { describeBundle } from './bundle-words.js'
import { type EditPlace, openPlace } from './edit-place.js'
import { firstLook, firstLookLines } from './first-look.js'

export interface BundleFlags extends CommonFlags {
  readonly name?: string | undefined
  readonly sha256?: string | undefined
  readonly set?: readonly string[] | undefined
  readonly disabled?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly dryRun?: boolean | undefined
  /** Start it once and say what it shows. Default: on a terminal. */
  readonly try?: boolean | undefined
}

/** `pegboard bundle install FILE`: checked, shown, and only then unpacked and written into the configuration. */
export const install = async (where: string, flags: BundleFlags): Promise<void> => {
  const { sha256, name } = flags
  const bytes = await fetchBundle(where, { isTrusted: ({ host }) => host === hostOf(where), isPinned: !!sha256 })
  const { manifest } = await openBundle(bytes, { sha256 })
  const here = await bundlePlaceOf(flags)
  await using place = await openPlace(flags)
  refuseFleet(place)
  const userConfig = await answersFor(manifest, flags)
  const plan = await planBundle({ from: where, bytes, sha256, name, userConfig }, here)
  const replaced = await replacedBy(plan, place, here, flags)
  const source = defined({ ...plan.entry, enabled: flags.disabled ? false : undefined })
  if (!flags.json) process.stdout.write(`${describe(plan, replaced).join('\n')}\n`)
  if (!(await isConfirmed(plan, place, flags))) return printUnwritten(plan, source, flags)
  await write(plan, place, source)
  await noteEdited(flags, sourceDeed(replaced ? 'edit' : 'add', plan.name))
  await removeOthers(plan, here)
  const isTried = !flags.disabled && (flags.try ?? (process.stdout.isTTY === true && !flags.json))
  const look = isTried ? await firstLook(plan.name, { ...flags, config: place.file }) : undefined
  print(flags, { ...planJson(plan), installed: true, file: place.file, source, first: look }, [
    say(`Installed '${plan.name}' and added it to ${place.to}.`, `已安装“${plan.name}”并添加到 ${place.to}。`),
    ...(look
      ? firstLookLines(plan.name, look)
      : [say('See it with: pegboard list --sources', '查看：pegboard list --sources')]),
  ])
}

const answersFor = async (manifest: Manifest, flags: BundleFlags): Promise<GivenValues> => {
  const given = readSet(flags.set ?? [])
  return flags.json || flags.yes || !isInteractive() ? given : askMissing(manifest, given)
}

/** The version that stands in the configuration under this name, if it is one of this bundle's. */
const replacedBy = async (
  plan: CheckedBundle,
  place: EditPlace,
  { dataFolder, platform }: BundlePlace,
  flags: BundleFlags,
): Promise<boolean> => {
  if (!(await place.sources()).includes(plan.name)) return false
  const own = await sourcesOf(new BundleShelf(dataFolder, platform).homeOf(plan.name), { ...flags, config: place.file })
  if (own.includes(plan.name)) return true
  throw new GatewayError(
    'SOURCE_CONFLICT',
    say(
      `There is already a source named '${plan.name}', which is no bundle. Choose another: --name NAME`,
      `已有名为“${plan.name}”的来源，且不是 MCPB 包。请另选名称：--name NAME`,
    ),
  )
}

const refuseFleet = (place: EditPlace): void => {
  if (!place.said.overlay) return
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      'A bundle lies in the folder of one machine, and this configuration is that of a whole fleet. Unpack it on each machine at the same path, and add it by its command.',
      'MCPB 包只存在于一台机器的目录中，而此配置属于整个集群。请在每台机器的相同路径解包，并用命令添加。',
    ),
  )
}

const describe = (plan: CheckedBundle, isReplaced: boolean): readonly string[] => [
  ...describeBundle(plan.bundle, plan.entry),
  say(`  Goes to: ${plan.folder}`, `  位置：${plan.folder}`),
  ...(isReplaced ? [say(`  Takes the place of the version that is installed.`, '  将取代已安装的版本。')] : []),
]

const isConfirmed = async (plan: CheckedBundle, place: EditPlace, flags: BundleFlags): Promise<boolean> => {
  if (flags.dryRun) return false
  if (flags.yes) return true
  if (flags.json || !isInteractive()) return false
  return confirm(
    say(`\nInstall it as '${plan.name}' and add it to ${place.to}?`, `\n安装为“${plan.name}”并添加到 ${place.to} 吗？`),
  )
}

const printUnwritten = (plan: CheckedBundle, source: object, flags: BundleFlags): void =>
  print(flags, { ...planJson(plan), installed: false, source }, [
    flags.dryRun
      ? say('Nothing was written (--dry-run).', '没有写入任何内容（--dry-run）。')
      : say('Nothing was written. Install it with --yes.', '没有写入任何内容。用 --yes 安装。'),
  ])

const planJson = ({ name, version, folder, bundle }: CheckedBundle) => ({
  ...{ name, version, folder, sha256: bundle.sha256 },
  signature: bundle.isSigned ? 'present, not verified' : 'none',
})

/** Its files first, then the entry that starts them; without the entry the files go again. */
const write = async (plan: CheckedBundle, place: EditPlace, source: object): Promise<void> => {
  const written = await plan.write()
  try {
    await place.edit([{ path: [await place.section(plan.name), plan.name], value: source }], plan.name)
  } catch (error) {
    await written.undo()
    throw error
  }
}

/** Versions that nothing names any more. */
const removeOthers = async (plan: CheckedBundle, { dataFolder, platform }: BundlePlace): Promise<void> => {
  const shelf = new BundleShelf(dataFolder, platform)
  for (const { name, version } of await shelf.list())
    if (name === plan.name && version !== plan.version) await shelf.removeVersion(name, version)
}
