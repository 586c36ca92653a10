import { type FormEvent, type KeyboardEvent, useRef } from 'react'
import type { ScriptsAnswer } from '../../../src/faces/admin/scripts.js'
import type { Me } from '../../../src/faces/admin/session.js'
import { useLive } from '../api/live.js'
import { cancelScript, editScript, runScript, useScript } from '../api/script-run.js'
import { useLoad } from '../api/use-load.js'
import { useTexts } from '../i18n/texts.js'
import { scriptWords } from '../i18n/words-scripts.js'
import { Button } from '../parts/button.js'
import { Code } from '../parts/code.js'
import { Choice, Text } from '../parts/field.js'
import { Card, Failure, Loading, Page } from '../parts/page.js'
import { attempt, tell } from '../parts/toast.js'
import { asCommand, asCurl, orderOf } from './script-copies.js'
import { insertAt, ScriptEditor, showLine } from './script-editor.js'
import { ScriptOutcome } from './script-outcome.js'
import { ScriptTools } from './script-tools.js'

/** Scripts over tools: written, run, and what became of them. */
export const Scripts = ({ me }: { readonly me: Me }) => {
  const say = useTexts(scriptWords)
  const { catalog } = useLive()
  const { data, error } = useLoad<ScriptsAnswer>('/scripts', catalog)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <Page title={say('scripts')} lead={say('scriptsLead')}>
      {data.profiles.length > 0 ? <Desk me={me} profiles={data.profiles} /> : <Off isOn={data.enabled} />}
    </Page>
  )
}

const switchedOn = JSON.stringify({ scripts: { enabled: true }, profiles: { default: { scripts: true } } }, null, 2)

const Off = ({ isOn }: { readonly isOn: boolean }) => {
  const say = useTexts(scriptWords)
  return (
    <Card>
      <p>{say(isOn ? 'scriptsNoProfile' : 'scriptsOff')}</p>
      <p className="muted">{say('scriptsSwitchOn')}</p>
      <Code text={switchedOn} label={say('configuration')} />
    </Card>
  )
}

const Desk = ({ me, profiles }: { readonly me: Me; readonly profiles: ScriptsAnswer['profiles'] }) => {
  const say = useTexts(scriptWords)
  const state = useScript(me.id)
  const editor = useRef<HTMLTextAreaElement>(null)
  const { draft, isRunning } = state
  const profile = profiles.find(({ name }) => name === draft.profile) ?? defaultOf(profiles)
  const written = { ...draft, profile: profile.name }
  const why = whyNoJson(draft.input)
  const canRun = !isRunning && draft.script.trim() !== '' && why === undefined
  const run = (event?: FormEvent): void => {
    event?.preventDefault()
    if (canRun) void runScript(orderOf(written))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    run()
  }
  const copy = (text: () => string): void =>
    void attempt(() => navigator.clipboard.writeText(text())).then((ok) => ok && tell(say('copied')))
  return (
    <>
      <div className="script-desk">
        <form className="card" onSubmit={run} onKeyDown={onKeyDown} aria-label={say('script')}>
          <ScriptEditor value={draft.script} editor={editor} onChange={(script) => editScript({ script })} />
          <Text
            label={say('input')}
            hint={why === undefined ? say('inputHint') : say('invalidJson', { why })}
            rows={3}
            mono
            value={draft.input}
            onChange={(input) => editScript({ input })}
          />
          <div className="script-terms">
            <Choice
              label={say('profile')}
              value={profile.name}
              options={profiles.map(({ name }) => [name, name] as const)}
              onChange={(name) => editScript({ profile: name })}
            />
            <Text
              label={say('timeout')}
              hint={say('timeoutHint', { n: profile.timeoutMs / 1000 })}
              type="number"
              placeholder={String(profile.timeoutMs / 1000)}
              value={draft.seconds}
              onChange={(seconds) => editScript({ seconds })}
            />
          </div>
          <div className="row script-deeds">
            <Button right="operate" kind="main" icon="play" submit disabled={!canRun}>
              {say(isRunning ? 'running' : 'run')}
            </Button>
            {isRunning && <Button onClick={cancelScript}>{say('cancel')}</Button>}
            <span className="end" />
            <Button
              kind="quiet"
              icon="copy"
              disabled={why !== undefined}
              onClick={() => copy(() => asCommand(written))}
            >
              {say('asCommand')}
            </Button>
            <Button
              kind="quiet"
              icon="copy"
              disabled={why !== undefined}
              onClick={() => copy(() => asCurl(written, new URL('.', document.baseURI).href))}
            >
              {say('asCurl')}
            </Button>
          </div>
        </form>
        <ScriptTools profile={profile.name} onInsert={(call) => editor.current && insertAt(editor.current, call)} />
      </div>
      {(isRunning || state.answer || state.error || state.isCancelled) && (
        <ScriptOutcome
          key={state.turn}
          state={state}
          onLine={(line) => editor.current && showLine(editor.current, line)}
          onResume={(resume) => void runScript({ resume, profile: state.profile })}
        />
      )}
    </>
  )
}

type Profile = ScriptsAnswer['profiles'][number]
const defaultOf = (profiles: readonly Profile[]): Profile =>
  profiles.find(({ name }) => name === 'default') ?? profiles[0]!

const whyNoJson = (text: string): string | undefined => {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
