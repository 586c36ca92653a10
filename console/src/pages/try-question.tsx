import { useEffect, useRef, useState } from 'react'
import type { AskedQuestion } from '../../../src/faces/admin/try-tool.js'
import type { JsonObject } from '../../../src/model/json.js'
import { missingIn } from '../forms/form-edit.js'
import { blankOf, isObject, nodeOf } from '../forms/form-node.js'
import { SchemaForm } from '../forms/schema-form.js'
import { useTexts } from '../i18n/texts.js'
import { tryWords } from '../i18n/words-try.js'
import { Button } from '../parts/button.js'
import { focusPath } from './try-focus.js'

export interface TryQuestionProps {
  readonly question: AskedQuestion
  onAnswer(answer: JsonObject): void
}

/** What the tool asks, answered where it is asked. */
export const TryQuestion = ({ question, onAnswer }: TryQuestionProps) => {
  const say = useTexts(tryWords)
  const { params = {}, method } = question
  const isUrl = params.mode === 'url'
  const box = useRef<HTMLElement>(null)
  // It waits for whoever called: on a small screen it lies below what was written.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={box} className="card question" aria-label={say('waitsForYou')} aria-live="polite">
      <h3>{say('waitsForYou')}</h3>
      <p className="description">{String(params.message ?? '')}</p>
      {method !== 'elicitation/create' ? (
        <p className="notice warn">{say('cannotAnswer', { what: method })}</p>
      ) : isUrl ? (
        <Page url={String(params.url ?? '')} onAnswer={onAnswer} />
      ) : (
        <Form schema={isObject(params.requestedSchema) ? params.requestedSchema : {}} onAnswer={onAnswer} />
      )}
      {(method !== 'elicitation/create' || isUrl) && <Refusals onAnswer={onAnswer} />}
    </section>
  )
}

const Refusals = ({ onAnswer }: Pick<TryQuestionProps, 'onAnswer'>) => {
  const say = useTexts(tryWords)
  return (
    <p className="row">
      <Button onClick={() => onAnswer({ action: 'decline' })}>{say('decline')}</Button>
      <Button kind="quiet" onClick={() => onAnswer({ action: 'cancel' })}>
        {say('answerCancel')}
      </Button>
    </p>
  )
}

const Form = ({ schema, onAnswer }: { readonly schema: JsonObject; onAnswer(answer: JsonObject): void }) => {
  const say = useTexts(tryWords)
  const [value, setValue] = useState<JsonObject>(() => {
    const blank = blankOf(nodeOf(schema, schema), schema)
    return isObject(blank) ? blank : {}
  })
  const [tried, setTried] = useState(false)
  const broken = useRef(new Map<string, string>())
  const box = useRef<HTMLDivElement>(null)
  const missing = missingIn(schema, value)
  const send = (): void => {
    setTried(true)
    const [first] = [...broken.current.keys(), ...missing.map((name) => `/${name}`)]
    if (first !== undefined) return focusPath(box.current, first)
    onAnswer({ action: 'accept', content: value })
  }
  return (
    <div ref={box}>
      <SchemaForm
        schema={schema}
        value={value}
        onChange={setValue}
        problemAt={(path) => (tried && missing.some((name) => `/${name}` === path) ? say('isMissing') : undefined)}
        onBroken={(path, why) => void (why === undefined ? broken.current.delete(path) : broken.current.set(path, why))}
      />
      <p className="row">
        <Button kind="main" onClick={send}>
          {say('sendAnswer')}
        </Button>
        <Button onClick={() => onAnswer({ action: 'decline' })}>{say('decline')}</Button>
        <Button kind="quiet" onClick={() => onAnswer({ action: 'cancel' })}>
          {say('answerCancel')}
        </Button>
      </p>
    </div>
  )
}

const Page = ({ url, onAnswer }: { readonly url: string; onAnswer(answer: JsonObject): void }) => {
  const say = useTexts(tryWords)
  const isPage = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  return (
    <>
      <p className="notice warn">{say(isPage ? 'opensPage' : 'notAPage')}</p>
      <p className="mono break">{url}</p>
      {isPage && (
        <p className="row">
          <Button onClick={() => void window.open(url, '_blank', 'noopener,noreferrer')}>{say('openPage')}</Button>
          <Button kind="main" onClick={() => onAnswer({ action: 'accept' })}>
            {say('pageDone')}
          </Button>
        </p>
      )}
    </>
  )
}
