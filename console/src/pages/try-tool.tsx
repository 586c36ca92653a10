import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import type { ToolDetail } from '../../../src/faces/admin/tools.js'
import type { CallAnswer, CallEvents, CallOrder } from '../../../src/faces/admin/try-tool.js'
import type { JsonObject, JsonValue } from '../../../src/model/json.js'
import { keepArguments, lastArguments } from '../api/try-memory.js'
import { callTool } from '../api/try-run.js'
import { blankOf, isObject, nodeOf } from '../forms/form-node.js'
import { SchemaForm } from '../forms/schema-form.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { tryWords } from '../i18n/words-try.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Text } from '../parts/field.js'
import { MeContext, useMay } from '../parts/may.js'
import { Failure } from '../parts/page.js'
import { TryAnswer } from './try-answer.js'
import { checkArguments, tellUnfit, type Unfit, useCheck } from './try-check.js'
import { focusPath } from './try-focus.js'
import { Copies, Going, Unfitting } from './try-parts.js'
import { TryQuestion } from './try-question.js'

// What is being written is still there when its writer has looked at another tab; it goes with the page.
const drafts = new Map<string, JsonObject>()

interface Run {
  /** What was sent: whoever answers a question of the call means the same one. */
  readonly args?: JsonObject
  readonly isRunning?: boolean
  readonly progress?: CallEvents['progress'] | undefined
  readonly answer?: CallAnswer
  readonly error?: Error
  readonly isCancelled?: boolean
}

/** A call by hand, from a form made of the input schema or from JSON as it is. */
export const TryTool = ({ tool, onCalled }: { readonly tool: ToolDetail; onCalled(): void }) => {
  const say = useTexts(tryWords)
  const language = useLanguage()
  const may = useMay()
  const reader = useContext(MeContext)?.id ?? ''
  const schema = schemaOf(tool)
  const [args, setDraft] = useState<JsonObject>(() => drafts.get(tool.id) ?? beginning(schema))
  const [text, setText] = useState<string>()
  const [run, setRun] = useState<Run>({})
  /** Nothing is told as missing before somebody has tried to send it. */
  const [tried, setTried] = useState(false)
  const [stopped, setStopped] = useState(false)
  const leaving = useRef<AbortController>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const broken = useRef(new Map<string, string>())
  const parsed = text === undefined ? { value: args } : parseObject(text)
  const setArgs = (next: JsonObject): void => {
    drafts.set(tool.id, next)
    setDraft(next)
    setStopped(false)
  }
  const unfit = useCheck(tool.id, parsed.value, may('operate') && tool.advertised !== undefined)
  const shown = tried ? unfit : unfit.filter(({ keyword }) => keyword !== 'required')
  useEffect(() => () => leaving.current?.abort(), [])

  const send = async (order: CallOrder): Promise<void> => {
    const own = new AbortController()
    leaving.current = own
    setStopped(false)
    const sent = order.args as JsonObject
    setRun({ isRunning: true })
    keepArguments(reader, tool.id, sent)
    try {
      const onProgress = (progress: CallEvents['progress']): void => setRun({ isRunning: true, progress })
      const answer = await callTool(tool.id, { asks: true, ...order }, own.signal, onProgress)
      setRun({ answer, args: sent })
    } catch (error) {
      if (leaving.current !== own) return
      setRun(own.signal.aborted ? { isCancelled: true } : { error: error as Error })
    }
    onCalled()
  }
  const call = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!parsed.value || run.isRunning) return
    setTried(true)
    const [typo] = text === undefined ? broken.current.keys() : []
    const problems = typo === undefined ? await checkArguments(tool.id, parsed.value) : []
    const first = typo ?? problems[0]?.path
    if (first === undefined) return send({ args: parsed.value })
    setStopped(true)
    if (text === undefined) focusPath(form.current, first)
  }
  const toggle = (): void => {
    if (text === undefined) return setText(JSON.stringify(args, null, 2))
    if (parsed.value) setArgs(parsed.value)
    setText(undefined)
  }
  const put = (next: JsonObject): void => {
    setArgs(next)
    setTried(false)
    if (text !== undefined) setText(JSON.stringify(next, null, 2))
  }
  const last = lastArguments(reader, tool.id)
  const questions = run.answer?.questions ?? []
  return (
    <div className="try">
      <form ref={form} onSubmit={(event) => void call(event)} noValidate>
        <div className="row try-fill">
          <Button kind="quiet" onClick={() => put(isObject(tool.example) ? tool.example : {})}>
            {say('example')}
          </Button>
          {last && (
            <Button kind="quiet" onClick={() => put(last)}>
              {say('lastTime')}
            </Button>
          )}
          <Button kind="quiet" onClick={() => put(beginning(schema))}>
            {say('beginAgain')}
          </Button>
          <span className="end" />
          <Button kind="quiet" disabled={text !== undefined && !parsed.value} onClick={toggle}>
            {say(text === undefined ? 'asJson' : 'asForm')}
          </Button>
        </div>
        {text === undefined ? (
          <SchemaForm
            schema={schema}
            value={args}
            onChange={setArgs}
            problemAt={(path) => told(shown, path, (each) => tellUnfit(each, language))}
            onBroken={(path, why) =>
              void (why === undefined ? broken.current.delete(path) : broken.current.set(path, why))
            }
          />
        ) : (
          <Text
            label={say('asJson')}
            rows={Math.min(24, Math.max(8, text.split('\n').length + 1))}
            mono
            value={text}
            onChange={setText}
            problem={parsed.why === undefined ? undefined : say('invalidJson', { why: parsed.why })}
          />
        )}
        {(text !== undefined || stopped) && shown.length > 0 && (
          <Unfitting
            problems={shown}
            onGo={text === undefined ? (path) => focusPath(form.current, path) : undefined}
            onAnyway={stopped ? () => void send({ args: parsed.value ?? {} }) : undefined}
          />
        )}
        <div className="row try-deeds">
          <Button
            right="operate"
            kind="main"
            icon="play"
            submit
            disabled={run.isRunning === true || !tool.advertised || !parsed.value}
          >
            {say(run.isRunning ? 'calling' : 'call')}
          </Button>
          {run.isRunning && <Button onClick={() => leaving.current?.abort()}>{say('cancel')}</Button>}
          <span className="end" />
          <Copies tool={tool} args={parsed.value} />
        </div>
      </form>
      {!tool.advertised && !tool.held && <p className="notice">{say('seenByNobody')}</p>}
      {run.isRunning && <Going progress={run.progress} />}
      {run.isCancelled && (
        <p className="notice warn" role="status">
          <Badge tone="warn">{say('cancelled')}</Badge> {say('cancelledLead')}
        </p>
      )}
      {run.error && <Failure error={run.error} />}
      {questions.map((question) => (
        <TryQuestion
          key={question.key}
          question={question}
          onAnswer={(given) =>
            void send({ args: run.args ?? {}, state: run.answer?.state, answers: { [question.key]: given } })
          }
        />
      ))}
      {run.answer && questions.length === 0 && <TryAnswer answer={run.answer} />}
    </div>
  )
}

/** As callers see it: what an operator sets or hides is refused from anybody. */
const schemaOf = ({ advertised, definition }: ToolDetail): JsonObject =>
  ((advertised ?? definition).inputSchema ?? {}) as JsonObject

const beginning = (schema: JsonObject): JsonObject => {
  const blank = blankOf(nodeOf(schema, schema), schema)
  return isObject(blank) ? blank : {}
}

const told = (problems: readonly Unfit[], path: string, tell_: (problem: Unfit) => string): string | undefined => {
  const found = problems.filter((each) => each.path === path)
  return found.length === 0 ? undefined : found.map(tell_).join('; ')
}

const parseObject = (text: string): { readonly value?: JsonObject; readonly why?: string } => {
  try {
    const value = JSON.parse(text) as JsonValue
    return isObject(value) ? { value } : { why: '{ … }' }
  } catch (error) {
    return { why: (error as Error).message }
  }
}
