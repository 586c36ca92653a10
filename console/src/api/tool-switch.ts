import type { ShownToolAnswer } from '../../../src/faces/admin/overrides.js'
import type { JsonObject } from '../../../src/model/json.js'
import { del, get, put, segment } from './client.js'

/** Switches a tool on or off, for everybody or for one profile; what else is written of it stays. */
export const switchTool = async (id: string, profile: string | undefined, on: boolean): Promise<void> => {
  const path = pathOf(id, profile)
  const { written } = await get<ShownToolAnswer>(path)
  const { enabled: _, ...rest } = written
  if (!on) return void (await write(path, { ...rest, enabled: false }))
  const after = await write(path, rest)
  // Something else keeps it off: its source's entry, or what holds for everybody. Then it is said here.
  if (!after.shown) await write(path, { ...rest, enabled: true })
}

/** Changes some of what is written of it; an empty text is as its source says. */
export const overrideTool = async (
  id: string,
  profile: string | undefined,
  change: Readonly<Record<'name' | 'description', string>>,
): Promise<void> => {
  const path = pathOf(id, profile)
  const { written } = await get<ShownToolAnswer>(path)
  const kept = Object.entries(written).filter(([key]) => !(key in change))
  const said = Object.entries(change).filter(([, text]) => text.trim() !== '')
  await write(path, Object.fromEntries([...kept, ...said.map(([key, text]) => [key, text.trim()])]) as JsonObject)
}

const pathOf = (id: string, profile: string | undefined): string =>
  `/tools/${segment(id)}/override${profile === undefined ? '' : `?profile=${segment(profile)}`}`

const write = (path: string, override: JsonObject): Promise<ShownToolAnswer> =>
  Object.keys(override).length === 0 ? del<ShownToolAnswer>(path) : put<ShownToolAnswer>(path, override)
