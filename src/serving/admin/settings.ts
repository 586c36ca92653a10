import { readLayers } from '../../config/layers.js'
import { valueAt } from '../../config/overlay.js'
import { redacted } from '../../config/redact.js'
import { refuseReferences } from '../../config/referenced.js'
import { settingsIn, type Table } from '../../config/settings/setting.js'
import { settings } from '../../config/settings/table.js'
import { GatewayError } from '../../errors.js'
import type { SettingField, SettingsDesk, SettingsReport } from '../../faces/admin/settings.js'
import type { Board } from '../board.js'
import type { FileInForce } from '../file-in-force.js'
import type { CommonFlags } from '../read-config.js'

/** What can be changed from a browser, with the words for it. */
export const editableIn = (table: Table): readonly Editable[] =>
  settingsIn(table)
    .filter(({ editable }) => editable)
    .map(({ place, kind, live, label, help }) => ({
      path: place,
      kind: kind.name as SettingField['kind'],
      choices: kind.choices,
      live,
      label: { en: label[0], zh: label[1] },
      help: help && { en: help[0], zh: help[1] },
    }))

type Editable = Omit<SettingField, 'value' | 'waits' | 'fixedBy'>

const editable = editableIn(settings)

export interface SettingsDeskOptions {
  readonly board: Board
  readonly inForce: FileInForce
  readonly flags: CommonFlags
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Settings as an operator sees and changes them. */
export const createSettingsDesk = ({ board, inForce, flags, env }: SettingsDeskOptions): SettingsDesk => {
  const fixed = new Map(readLayers(flags, env).overrides.map(({ path, from }) => [path.join('.'), from]))
  const toField = (each: Editable): SettingField => {
    const value = valueAt(board.config, each.path.split('.')) ?? null
    // Said in full where a word would do: a choice of words would lose the rest.
    const isObject = each.kind === 'choice' && typeof value === 'object' && value !== null
    return {
      ...each,
      value: isObject ? '{…}' : value,
      waits: board.current.waiting().includes(each.path),
      fixedBy: isObject ? 'the object in the file' : fixed.get(each.path),
    }
  }
  return {
    report: () => ({
      file: inForce.file,
      config: redacted(board.config, inForce.references) as SettingsReport['config'],
      fields: editable.map(toField),
      waiting: board.current.waiting(),
    }),
    save: (changes) => {
      for (const path of Object.keys(changes)) refuseOthers(path, fixed)
      refuseReferences(changes)
      return inForce.change(() =>
        Object.entries(changes).map(([path, value]) => ({ path: path.split('.'), value: value ?? undefined })),
      )
    },
  }
}

const refuseOthers = (path: string, fixed: ReadonlyMap<string, string>): void => {
  if (!editable.some((each) => each.path === path))
    throw new GatewayError(
      'CONFIG_INVALID',
      `'${path.slice(0, 100)}' cannot be changed here; edit the configuration file where the gateway runs.`,
    )
  const by = fixed.get(path)
  if (by !== undefined)
    throw new GatewayError(
      'CONFIG_INVALID',
      `${path} is set by ${by}, which goes before the file; change it where the gateway is started.`,
    )
}
