import { exactNaming, safeNaming } from '../../catalog/names.js'
import type { FindProfile, ProfileSettings } from '../../faces/mcp/profile.js'
import type { ServedProfile } from './options.js'

/** Profiles by name; `default` is there whether or not somebody described it. */
export const findProfileIn = (profiles: Readonly<Record<string, ServedProfile>> = {}): FindProfile => {
  const known = new Map(Object.entries({ default: {}, ...profiles }).map(([name, each]) => [name, toSettings(each)]))
  return (name) => known.get(name)
}

const toSettings = ({ expose, names, pin, maxResultBytes, registry }: ServedProfile): ProfileSettings => ({
  naming: names === 'exact' ? exactNaming : safeNaming,
  expose,
  pin,
  registry,
  maxResultBytes,
})
