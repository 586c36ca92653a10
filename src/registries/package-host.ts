import { parseImage, short } from './package-names.js'
import type { ServerPackage } from './server-json.js'

const publicBases: Readonly<Record<string, RegExp>> = {
  npm: /^https:\/\/registry\.npmjs\.org\/?$/,
  pypi: /^https:\/\/pypi\.org(?:\/simple)?\/?$/,
  nuget: /^https:\/\/api\.nuget\.org(?:\/v3\/index\.json)?\/?$/,
  mcpb: /^https:\/\/(?:github|gitlab)\.com\/?$/,
}

const publicImages =
  /^(?:docker\.io|index\.docker\.io|registry-1\.docker\.io|ghcr\.io|mcr\.microsoft\.com|quay\.io|public\.ecr\.aws|[a-z0-9.-]+\.pkg\.dev|[a-z0-9-]+\.azurecr\.io)$/

/** The host that a package comes from where it is none of the public ones. */
export const foreignHost = ({ registryType, registryBaseUrl, identifier }: ServerPackage): string | undefined => {
  if (registryType === 'oci') {
    const host = imageHost(identifier) ?? (registryBaseUrl && hostOf(registryBaseUrl))
    return host === undefined || publicImages.test(host) ? undefined : host
  }
  const bundle = registryType === 'mcpb' ? `https://${hostOf(identifier)}` : undefined
  const base = bundle ?? registryBaseUrl
  return base === undefined || publicBases[registryType]?.test(base) ? undefined : hostOf(base)
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : short(address))

/** The first part of an image's name is a host where it looks like one, as container tools read it. */
export const imageHost = (identifier: string): string | undefined => {
  const [first, ...rest] = identifier.split('/')
  return rest.length > 0 && (/[.:]/.test(first!) || first === 'localhost') ? first : undefined
}

/** The image with its version. */
export const imageOf = ({ identifier, version, registryBaseUrl }: ServerPackage): string => {
  const parsed = parseImage(identifier)
  const isWhole = parsed?.tag !== undefined || parsed?.digest !== undefined
  const base = registryBaseUrl === undefined ? undefined : hostOf(registryBaseUrl)
  const named =
    imageHost(identifier) === undefined && base !== undefined && base !== 'docker.io'
      ? `${base}/${identifier}`
      : identifier
  return isWhole ? named : `${named}:${version}`
}
