import { useEffect, useRef, useState } from 'react'
import type { LoggedCall } from '../../../src/faces/admin/calls.js'
import type { TriedReport, TriedScript } from '../../../src/faces/admin/scripts.js'
import { useLive } from '../api/live.js'
import type { ScriptState } from '../api/script-run.js'
import { formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { scriptWords } from '../i18n/words-scripts.js'
import { Badge, type Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Code, Json } from '../parts/code.js'
import { ErrorText } from '../parts/error-text.js'
import { Failure } from '../parts/page.js'
import { Tabs } from '../parts/tabs.js'
import { hrefOf } from '../router.js'
import { isOfRun, nameOfCall, stepOf } from './call-tree.js'

export interface ScriptOutcomeProps {
  readonly state: ScriptState
  onLine(line: number): void
  onResume(run: string): void
}

/** What became of a script: while it runs, its calls as they end. */
export const ScriptOutcome = ({ state, onLine, onResume }: ScriptOutcomeProps) => {
  const say = useTexts(scriptWords)
  const { calls } = useLive()
  const { run, answer, error, isRunning, isCancelled } = state
  const [chosen, setChosen] = useState<string>()
  const inner = run === undefined ? [] : calls.filter((call) => isOfRun(call.run, run) && call.step !== undefined)
  const logs = answer?.report?.logs ?? answer?.error?.logs ?? []
  const tabs = [
    ['result', say('result')],
    ['logs', say('logsTab', { n: logs.length })],
    ['calls', say('callsTab', { n: inner.length })],
  ] as const
  const shown = useRef<HTMLElement>(null)
  // On a small screen it lies below what was written: who pressed Run wants to see what comes of it.
  useEffect(() => {
    if (!isRunning) shown.current?.scrollIntoView({ block: 'nearest' })
  }, [isRunning])
  // Without a result, the calls are what there is to see.
  const tab = chosen ?? (answer?.report && !answer.report.paused ? 'result' : 'calls')
  return (
    <section ref={shown} className="card script-outcome" aria-label={say('outcomeTabs')}>
      <div role="status" aria-live="polite">
        <p className="row">
          <Standing state={state} />
          {isRunning && <span className="muted">{say('callsEnded', { n: inner.length })}</span>}
          {answer && <span className="muted">{formatMs(answer.report?.ms ?? answer.latencyMs)}</span>}
          <Tally calls={answer?.report?.calls ?? answer?.error?.calls} />
          {run !== undefined && (
            <a href={hrefOf('calls', run)} className="mono end">
              {run}
            </a>
          )}
        </p>
        {isCancelled && <p className="notice warn">{say('cancelledLead')}</p>}
      </div>
      {error && <Failure error={error} />}
      {error && run !== undefined && <p className="notice warn">{say('interruptedLead')}</p>}
      {answer?.error && <Failed error={answer.error} onLine={onLine} />}
      {answer?.report?.paused && <Paused report={answer.report} onResume={onResume} />}
      <Tabs label={say('outcomeTabs')} tabs={tabs} chosen={tab} onChoose={setChosen}>
        {tab === 'result' && <Json value={answer?.report?.result ?? null} label={say('result')} />}
        {tab === 'logs' && <Logs logs={logs} dropped={answer?.report?.logsDropped} />}
        {tab === 'calls' && <InnerCalls calls={inner} />}
      </Tabs>
    </section>
  )
}

const Standing = ({ state: { isRunning, isCancelled, answer, error } }: { readonly state: ScriptState }) => {
  const say = useTexts(scriptWords)
  if (isRunning) return <Badge tone="accent">{say('running')}</Badge>
  if (isCancelled) return <Badge tone="warn">{say('cancelled')}</Badge>
  if (error) return <Badge tone="bad">{say('interrupted')}</Badge>
  if (answer?.error) return <Badge tone="bad">{answer.error.code}</Badge>
  const [tone, word] = answer?.report?.paused ? (['warn', 'paused'] as const) : (['good', 'finished'] as const)
  return <Badge tone={tone}>{say(word)}</Badge>
}

const Tally = ({ calls }: { readonly calls: TriedReport['calls'] | undefined }) => {
  const say = useTexts(scriptWords)
  return calls && <span className="muted">{say('callsMade', { made: calls.made, failed: calls.failed })}</span>
}

const Failed = ({
  error: { code, message, line, logs },
  onLine,
}: {
  readonly error: NonNullable<TriedScript['error']>
  onLine(line: number): void
}) => {
  const say = useTexts(scriptWords)
  // The logs have a place of their own here.
  const told = logs ? (message.split('\nLogs: ')[0] ?? message) : message
  return (
    <div className="notice bad" role="alert">
      <p className="told">
        <ErrorText code={code} message={told} />
      </p>
      {line !== undefined && <Button onClick={() => onLine(line)}>{say('toLine', { n: line })}</Button>}
    </div>
  )
}

const Paused = ({ report, onResume }: { readonly report: TriedReport; onResume(run: string): void }) => {
  const say = useTexts(scriptWords)
  return (
    <div className="notice warn">
      <p>{say('pausedLead')}</p>
      <ul className="plain">
        {report.approvals?.map(({ id, tool }) => (
          <li key={id} className="mono">
            {tool} <span className="small">{id}</span>
          </li>
        ))}
      </ul>
      <p className="row">
        <a className="button" href={hrefOf('approvals')}>
          {say('toApprovals')}
        </a>
        <Button kind="main" right="operate" onClick={() => onResume(report.run)}>
          {say('resumeScript')}
        </Button>
      </p>
    </div>
  )
}

const Logs = ({ logs, dropped = 0 }: { readonly logs: readonly string[]; readonly dropped?: number | undefined }) => {
  const say = useTexts(scriptWords)
  if (logs.length === 0) return <p className="muted">{say('noScriptLogs')}</p>
  return (
    <>
      <Code text={logs.join('\n')} label={say('logs')} />
      {dropped > 0 && <p className="muted small">{say('logsDropped', { n: dropped })}</p>}
    </>
  )
}

const toneOf = ({ ok, code }: LoggedCall): Tone => (ok ? 'good' : code === 'APPROVAL_REQUIRED' ? 'warn' : 'bad')

const InnerCalls = ({ calls }: { readonly calls: readonly LoggedCall[] }) => {
  const say = useTexts(scriptWords)
  if (calls.length === 0) return <p className="muted">{say('noInnerCalls')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    <section className="scroll-x inner-calls" tabIndex={0} aria-label={say('calls')}>
      <ol className="plain">
        {calls.map((call) => (
          <li key={nameOfCall(call)} className="row">
            <a href={hrefOf('calls', nameOfCall(call))} aria-label={say('callOfRun', { n: call.step ?? 0 })}>
              #{stepOf(call)}
            </a>
            <span className="mono strong clip">{call.tool}</span>
            <Badge tone={toneOf(call)}>{call.ok ? say('answered') : call.code}</Badge>
            <span className="muted mono end">{formatMs(call.latencyMs)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
