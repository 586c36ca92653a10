import { openBundle } from '../../bundles/bundle.js'
import { BundleShelf } from '../../bundles/shelf.js'
import { starterOf, wordsFor } from '../../bundles/starter.js'
import { escapeText } from '../../config/variables.js'
import { isGatewayError, messageOf } from '../../errors.js'
import { fetchBundle } from '../../serving/bundles/fetch-bundle.js'
import { writtenSources } from '../../serving/config-file.js'
import { count, say } from '../../serving/locale.js'
import type { CommonFlags } from '../../serving/read-config.js'
import { noteEdited, sourceDeed } from '../../serving/typed-deeds.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'
import { bundlePlaceOf } from './bundle-place.js'
import { describeBundle } from './bundle-words.js'
import { openPlace } from './edit-place.js'

export interface InspectBundleFlags extends CommonFlags {
  readonly sha256?: string | undefined
}

/** `pegboard bundle list`. */
export const listBundles = async (flags: CommonFlags): Promise<void> => {
  const { dataFolder, platform } = await bundlePlaceOf(flags)
  const shelf = new BundleShelf(dataFolder, platform)
  const found = await shelf.list()
  const rows = await Promise.all(
    found.map(async ({ name, version, folder, manifest, record }) => ({
      ...{ name, version, folder, title: manifest.display_name ?? manifest.name, ...record },
      sources: await sourcesOf(shelf.folderOf(name, version), flags),
    })),
  )
  const lines =
    rows.length === 0
      ? say(
          'No bundle is installed. Install one with: pegboard bundle install FILE.mcpb',
          '没有安装 MCPB 包。安装：pegboard bundle install FILE.mcpb',
        )
      : table(
          ['BUNDLE', 'VERSION', 'SOURCE', 'SIGNED', 'SHA-256', 'FROM'],
          rows.map((row) => [
            row.name,
            row.version,
            row.sources.join(', ') || '–',
            row.isSigned ? say('not verified', '未验证') : say('no', '否'),
            row.sha256.slice(0, 12),
            row.from,
          ]),
        )
  print(flags, { bundles: rows }, [lines])
}

/** `pegboard bundle inspect FILE`: everything but writing and starting. */
export const inspectBundle = async (where: string, flags: InspectBundleFlags): Promise<void> => {
  const { sha256 } = flags
  const bytes = await fetchBundle(where, { isTrusted: ({ host }) => host === hostOf(where), isPinned: !!sha256 })
  const bundle = await openBundle(bytes, { sha256 })
  const { manifest, entries } = bundle
  const runs = wordsFor(manifest, process.platform)
  const problem = problemOf(() => starterOf(manifest, process.platform))
  print(
    flags,
    {
      ...{ manifest, sha256: bundle.sha256, bytes: bundle.bytes, unpackedBytes: bundle.unpackedBytes },
      ...{ signature: bundle.isSigned ? 'present, not verified' : 'none', runs, problem },
      files: entries.filter(({ kind }) => kind === 'file').map(({ name, bytes: size }) => ({ name, bytes: size })),
    },
    describeBundle(bundle, runs, problem),
  )
}

export const hostOf = (where: string): string => (URL.canParse(where) ? new URL(where).host : '')

const problemOf = (check: () => unknown): string | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    if (isGatewayError(error)) return messageOf(error)
    throw error
  }
}

/** `pegboard bundle uninstall NAME`. */
export const uninstall = async (name: string, flags: CommonFlags): Promise<void> => {
  const { dataFolder, platform } = await bundlePlaceOf(flags)
  const shelf = new BundleShelf(dataFolder, platform)
  const names = [...new Set((await shelf.list()).map((each) => each.name))]
  if (!names.includes(name))
    throw new CommandFailed(
      say(
        `No bundle '${name}' is installed${meant(name, names)} See them with: pegboard bundle list`,
        `没有安装名为“${name}”的 MCPB 包${meant(name, names)}查看：pegboard bundle list`,
      ),
      exitCodes.notFound,
    )
  await using place = await openPlace(flags)
  const sources = await sourcesOf(shelf.homeOf(name), { ...flags, config: place.file })
  const edits = sources.map(async (source) => ({ path: [await place.section(source), source], value: undefined }))
  // The entry first: a running gateway stops the server before its files are gone.
  if (sources.length > 0) await place.edit(await Promise.all(edits))
  await shelf.remove(name)
  await noteEdited(flags, ...sources.map((source) => sourceDeed('remove', source)))
  print(flags, { uninstalled: name, sources, folder: shelf.homeOf(name), file: place.file }, [
    say(
      `Uninstalled '${name}': ${count(sources.length, 'source')} and its files are gone.`,
      `已卸载“${name}”：移除 ${sources.length} 个来源及其文件。`,
    ),
  ])
}

/** The sources that run out of this folder, as the file has them. */
export const sourcesOf = async (folder: string, flags: CommonFlags): Promise<readonly string[]> => {
  await using place = await openPlace(flags)
  const inside = escapeText(folder)
  return [...(await writtenSources(place.file))].flatMap(([name, { cwd }]) =>
    typeof cwd === 'string' && (cwd === inside || cwd.startsWith(`${inside}/`)) ? [name] : [],
  )
}
