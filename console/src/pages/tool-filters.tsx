import { useTexts } from '../i18n/texts.js'
import { toolWords } from '../i18n/words-tools.js'
import type { ToolFilter } from './tool-groups.js'

export interface ToolFiltersProps {
  readonly filter: ToolFilter
  readonly sources: readonly string[]
  readonly profile: string
  readonly profiles: readonly string[]
  onFilter(filter: ToolFilter): void
  onProfile(profile: string): void
}

/** Which tools are listed, and in whose eyes. */
export const ToolFilters = ({ filter, sources, profile, profiles, onFilter, onProfile }: ToolFiltersProps) => {
  const say = useTexts(toolWords)
  const set = (key: keyof ToolFilter) => (value: string) => onFilter({ ...filter, [key]: value })
  return (
    <>
      <input
        type="search"
        aria-label={say('filterTools')}
        placeholder={say('filterTools')}
        value={filter.words}
        onChange={({ target }) => set('words')(target.value)}
      />
      <div className="tool-filters">
        <Pick
          label={say('source')}
          value={filter.source}
          onChange={set('source')}
          options={[['', say('allSources')], ...sources.map((each) => [each, each] as const)]}
        />
        <Pick
          label={say('byDeed')}
          value={filter.does}
          onChange={set('does')}
          options={[
            ['', say('anyDeed')],
            ['readonly', say('readonly')],
            ['destructive', say('destructive')],
            ['openWorld', say('openWorld')],
            ['idempotent', say('idempotent')],
            ['unsaid', say('stateUnsaid')],
          ]}
        />
        <Pick
          label={say('byState')}
          value={filter.state}
          onChange={set('state')}
          options={[
            ['', say('anyState')],
            ['on', say('stateOn')],
            ['off', say('stateOff')],
            ['changed', say('stateChanged')],
            ['held', say('stateHeld')],
            ['leftOut', say('stateLeftOut')],
          ]}
        />
        <Pick
          label={say('seenBy')}
          value={profile}
          onChange={onProfile}
          options={[['', say('everybody')], ...profiles.map((each) => [each, each] as const)]}
        />
      </div>
    </>
  )
}

interface PickProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  onChange(value: string): void
}

const Pick = ({ label, value, options, onChange }: PickProps) => (
  <select aria-label={label} title={label} value={value} onChange={({ target }) => onChange(target.value)}>
    {options.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)
