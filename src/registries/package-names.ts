import { type BothWords, both } from '../model/both-words.js'
import type { ServerPackage } from './server-json.js'

/** The kinds of packages that can be made into a command, or unpacked. */
export const packageTypes = ['npm', 'pypi', 'oci', 'nuget', 'mcpb'] as const
export type PackageType = (typeof packageTypes)[number]

export const isPackageType = (text: string): text is PackageType => packageTypes.some((type) => type === text)

/**
 * What is wrong with the name or version of a package, or undefined. Both become words of a command: what is no plain name
 * could be a flag, an address or a path instead, and what is no single version is another program tomorrow.
 */
export const packageNameProblem = (type: PackageType, found: ServerPackage): BothWords | undefined =>
  problems[type](found)

type Judge = (found: ServerPackage) => BothWords | undefined

const npmName = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i
const pythonName = /^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?(?:\[[A-Z0-9._,-]+\])?$/i
const nugetName = /^[A-Z0-9_][A-Z0-9._-]*$/i
/** `host[:port]/path[:tag][@digest]`; the last part of the path begins and ends with a letter or a digit. */
const image =
  /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:[._/-]{1,2}[a-z0-9]+)*(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/

const semver = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/
const pep440 =
  /^(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?(?:alpha|a|beta|b|preview|pre|c|rc)[._-]?\d*)?(?:-\d+|[._-]?(?:post|rev|r)[._-]?\d*)?(?:[._-]?dev[._-]?\d*)?(?:\+[a-z0-9]+(?:[._-][a-z0-9]+)*)?$/i
const nugetVersion = /^\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/
const tag = /^\w[\w.-]{0,127}$/

const byPattern =
  (name: RegExp, version: RegExp): Judge =>
  ({ identifier, version: given }) => {
    if (identifier.length > 214 || !name.test(identifier)) return noName(identifier)
    if (given === undefined) return noVersion(identifier)
    return given.length <= 128 && version.test(given) ? undefined : noSingleVersion(given)
  }

const problems: Readonly<Record<PackageType, Judge>> = {
  npm: byPattern(npmName, semver),
  pypi: byPattern(pythonName, pep440),
  nuget: byPattern(nugetName, nugetVersion),
  oci: (found) => {
    const parsed = parseImage(found.identifier)
    if (!parsed || found.identifier.length > 512) return noName(found.identifier)
    const version = parsed.digest ?? parsed.tag ?? found.version
    if (version === undefined) return noVersion(found.identifier)
    return version === 'latest' || (!parsed.digest && !tag.test(version)) ? noSingleVersion(version) : undefined
  },
  mcpb: ({ identifier, fileSha256, version }) => {
    if (!URL.canParse(identifier) || new URL(identifier).protocol !== 'https:' || hasUser(identifier))
      return both(
        `'${short(identifier)}' is no https address of a bundle.`,
        `“${short(identifier)}”不是 bundle 的 https 地址。`,
      )
    if (version !== undefined && !tag.test(version.replace('+', '.'))) return noSingleVersion(version)
    if (fileSha256 === undefined || !/^[0-9a-f]{64}$/.test(fileSha256))
      return both(
        'The bundle has no fileSha256, so nobody could tell whether the right one was fetched.',
        '该 bundle 没有 fileSha256，无法判断取到的文件是否正确。',
      )
    return undefined
  },
}

const hasUser = (address: string): boolean => {
  const { username, password } = new URL(address)
  return username !== '' || password !== ''
}

/** The tag and digest of an image, or undefined where it is no image's name. */
export const parseImage = (
  identifier: string,
): { readonly tag: string | undefined; readonly digest: string | undefined } | undefined => {
  const groups = image.exec(identifier)?.groups
  return groups && { tag: groups.tag, digest: groups.digest }
}

const noName = (identifier: string): BothWords =>
  both(
    `'${short(identifier)}' is not the name of a package: it could be read as a flag, an address or a path.`,
    `“${short(identifier)}”不是软件包名称：它可能被当作选项、地址或路径。`,
  )

const noVersion = (identifier: string): BothWords =>
  both(
    `'${short(identifier)}' names no version, so it would be another program tomorrow.`,
    `“${short(identifier)}”没有指明版本，明天可能就是另一个程序。`,
  )

const noSingleVersion = (version: string): BothWords =>
  both(
    `'${short(version)}' is no single version; a range or a tag such as latest is another program tomorrow.`,
    `“${short(version)}”不是单一版本；版本范围或 latest 之类的标签明天可能就是另一个程序。`,
  )

export const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
