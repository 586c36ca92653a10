import type { ScriptAsked, ScriptDraft } from '../api/script-run.js'

/** What is asked of the gateway for what is written here; throws where the input is no JSON. */
export const orderOf = ({ script, input, seconds, profile }: ScriptDraft): ScriptAsked => ({
  script,
  input: input.trim() === '' ? undefined : (JSON.parse(input) as unknown),
  timeoutMs: Number(seconds) > 0 ? Math.ceil(Number(seconds) * 1000) : undefined,
  profile: profile === '' ? undefined : profile,
})

/** The same typed into a shell, where the gateway runs. */
export const asCommand = ({ script, input }: ScriptDraft): string => {
  const given = input.trim() === '' ? '' : ` --input ${quoted(input.trim())}`
  const end = endOf(script)
  return `pegboard script run -${given} <<'${end}'\n${script}\n${end}`
}

/** The same from anywhere, with a key that whoever runs it has to have. */
export const asCurl = (draft: ScriptDraft, base: string): string => {
  const { profile, ...body } = orderOf(draft)
  const query = profile === undefined ? '' : `?profile=${encodeURIComponent(profile)}`
  return [
    `curl ${quoted(`${base}api/v1/scripts${query}`)}`,
    '-H "Authorization: Bearer $PEGBOARD_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A line that the script does not have. */
const endOf = (script: string): string => {
  let end = 'END'
  while (script.split('\n').includes(end)) end += '_'
  return end
}
