import { defined, isRecord, type JsonObject } from '../../model/json.js'

/**
 * A resource's URI with its source in it, for the case that two sources use the same one. Hosts know apps by the
 * scheme, so that `ui://` stays in front.
 */
export const carryUri = (namespace: string, uri: string): string => {
  const name = encoded(namespace)
  return uri.startsWith(appScheme) ? `${appScheme}${name}+${uri.slice(appScheme.length)}` : `${own}${name}/${uri}`
}

/** The URI inside, if it was carried for this namespace. */
export const carriedUri = (namespace: string, carried: string): string | undefined => {
  const name = encoded(namespace)
  const app = `${appScheme}${name}+`
  if (carried.startsWith(app)) return appScheme + carried.slice(app.length)
  const prefix = `${own}${name}/`
  return carried.startsWith(prefix) ? carried.slice(prefix.length) : undefined
}

// Through bytes first: half a surrogate pair, which a name may hold, cannot be encoded as it is.
const encoded = (namespace: string): string => encodeURIComponent(Buffer.from(namespace).toString())

const appScheme = 'ui://'
const own = 'pegboard://'

/** A tool's `_meta` whose pointer to its app goes through `toShown`; both the key of MCP Apps and its older form. */
export const withAppUri = (meta: JsonObject, toShown: (uri: string) => string): JsonObject => {
  const { ui } = meta
  const flat = meta['ui/resourceUri']
  const nested = isRecord(ui) && typeof ui.resourceUri === 'string' ? toShown(ui.resourceUri) : undefined
  return {
    ...meta,
    ...defined({
      ui: nested === undefined ? undefined : { ...(ui as JsonObject), resourceUri: nested },
      'ui/resourceUri': typeof flat === 'string' ? toShown(flat) : undefined,
    }),
  }
}
