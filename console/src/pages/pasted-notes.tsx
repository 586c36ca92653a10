import type { ReadSource } from '../../../src/faces/admin/source-reading.js'
import { cautionWords } from '../../../src/faces/caution-words.js'
import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { sourceWords } from '../i18n/words-sources.js'
import { Choice } from '../parts/field.js'
import { Icon } from '../parts/icon.js'

/** Which secrets stay in the file as they were pasted. */
export interface Keeping {
  isKept(place: string): boolean
  turn(place: string, on: boolean): void
}

/** One secret of one source. */
export const placeOf = (name: string, path: readonly string[]): string => JSON.stringify([name, ...path])

/** What to know of a source that was read: what was left out, what to look at, and where its secrets go. */
export const PastedNotes = ({ source, keep }: { readonly source: ReadSource; readonly keep: Keeping }) => {
  const say = useTexts(sourceWords)
  const language = useLanguage()
  const { notes, cautions, secrets, variables, name } = source
  const kept = secrets.filter(({ path }) => keep.isKept(placeOf(name, path))).map(({ instead }) => instead)
  const unset = variables
    .filter(({ name: each, isSet }) => !isSet && !kept.some((instead) => instead.includes(`\${${each}}`)))
    .map(({ name: each }) => each)
  return (
    <div className="pasted-notes">
      {cautions.map((caution) => (
        <p key={caution} className="caution small">
          <Icon name="warn" /> {cautionWords(caution, language)}
        </p>
      ))}
      {notes.map((note) => (
        <p key={note} className="muted small">
          {cautionWords(note, language)}
        </p>
      ))}
      {secrets
        .filter(({ placeholder }) => !placeholder)
        .map(({ path, instead }) => {
          const place = placeOf(name, path)
          const isKept = keep.isKept(place)
          return (
            <div key={place} className="secret-line">
              <p className="small">
                {say('secretHere', { place: path.join('.') })} {!isKept && say('secretAs', { variable: instead })}
              </p>
              <Choice
                label={say('secretPlace', { place: path.join('.') })}
                value={isKept ? 'file' : 'variable'}
                options={[
                  ['variable', say('secretAsVariable')],
                  ['file', say('secretInFile')],
                ]}
                onChange={(how) => keep.turn(place, how === 'file')}
              />
            </div>
          )
        })}
      {unset.length > 0 && <p className="notice warn small">{say('variableUnset', { names: unset.join(', ') })}</p>}
    </div>
  )
}

/** The entry with those secrets that stay. */
export const asWritten = (
  { name, entry, secrets }: ReadSource,
  pasted: JsonObject | undefined,
  keep: Keeping,
): JsonObject =>
  secrets
    .filter(({ path }) => keep.isKept(placeOf(name, path)))
    .reduce<Json>((whole, { path }) => withValue(whole, path, valueAt(pasted, path)), entry) as JsonObject

const valueAt = (value: Json | undefined, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (here, key) => (typeof here === 'object' && here !== null ? (here as Record<string, Json>)[key] : undefined),
    value,
  )

const withValue = (whole: Json, [key, ...rest]: readonly string[], value: Json | undefined): Json => {
  if (key === undefined) return value ?? whole
  if (Array.isArray(whole))
    return whole.map((each: Json, index) => (String(index) === key ? withValue(each, rest, value) : each))
  if (typeof whole !== 'object' || whole === null) return whole
  return { ...whole, [key]: withValue((whole as Record<string, Json>)[key] ?? null, rest, value) } as JsonObject
}
