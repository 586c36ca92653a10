import { type FormEvent, useState } from 'react'
import type { CallAnswer, ToolDetail } from '../../../src/faces/admin/tools.js'
import type { JsonObject, JsonValue } from '../../../src/model/json.js'
import { post, segment } from '../api/client.js'
import { formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Code, Json } from '../parts/code.js'
import { ErrorText } from '../parts/error-text.js'
import { Text } from '../parts/field.js'
import { attempt } from '../parts/toast.js'
import { SchemaForm } from './schema-form.js'

/** A call by hand, from a form made of the input schema or from JSON as it is. */
export const TryTool = ({ tool, onCalled }: { readonly tool: ToolDetail; onCalled(): void }) => {
  const say = useTexts()
  const [args, setArgs] = useState<JsonObject>({})
  const [text, setText] = useState<string>()
  const [answer, setAnswer] = useState<CallAnswer>()
  const [calling, setCalling] = useState(false)
  const parsed = text === undefined ? { value: args } : parseObject(text)
  const call = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!parsed.value) return
    setCalling(true)
    await attempt(async () => setAnswer(await post(`/tools/${segment(tool.id)}/call`, { args: parsed.value })))
    setCalling(false)
    onCalled()
  }
  const toggle = (): void => {
    if (text === undefined) return setText(JSON.stringify(args, null, 2))
    if (parsed.value) setArgs(parsed.value)
    setText(undefined)
  }
  return (
    <form onSubmit={(event) => void call(event)} className="try">
      {text === undefined ? (
        <SchemaForm schema={schemaOf(tool)} value={args} onChange={setArgs} />
      ) : (
        <Text
          label={say('asJson')}
          rows={10}
          mono
          value={text}
          onChange={setText}
          {...(parsed.why === undefined ? {} : { hint: say('invalidJson', { why: parsed.why }) })}
        />
      )}
      <div className="row">
        <Button right="operate" kind="main" icon="play" submit disabled={calling || !tool.advertised || !parsed.value}>
          {say(calling ? 'calling' : 'call')}
        </Button>
        <Button kind="quiet" onClick={toggle}>
          {say(text === undefined ? 'asJson' : 'asForm')}
        </Button>
      </div>
      {!tool.advertised && !tool.held && <p className="notice">{say('seenByNobody')}</p>}
      {answer && <Answer answer={answer} />}
    </form>
  )
}

/** As callers see it: what an operator sets or hides is refused from anybody. */
const schemaOf = ({ advertised, definition }: ToolDetail): JsonObject =>
  ((advertised ?? definition).inputSchema ?? {}) as JsonObject

const Answer = ({ answer }: { readonly answer: CallAnswer }) => {
  const say = useTexts()
  const good = answer.ok && answer.result?.isError !== true
  const time = formatMs(answer.latencyMs)
  return (
    <section className="answer" aria-label={say('result')} aria-live="polite">
      <p>
        <Badge tone={good ? 'good' : 'bad'}>{answer.error?.code ?? (good ? say('answered') : 'isError')}</Badge>{' '}
        <span className="muted">{say(good ? 'answeredIn' : 'failedIn', { time })}</span>
      </p>
      {answer.error && (
        <p>
          <ErrorText code={answer.error.code} message={answer.error.message} />
        </p>
      )}
      {answer.result?.content.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer does not change while it is shown
        <Block key={index} block={block} label={`${say('result')} ${index + 1}`} />
      ))}
      {answer.result?.structuredContent !== undefined && (
        <Json value={answer.result.structuredContent} label="structuredContent" />
      )}
    </section>
  )
}

// Pictures and sounds are named, not shown: a page that loads what tools say would load what anybody says (T38).
const Block = ({ block, label }: { readonly block: JsonObject; readonly label: string }) => {
  if (block.type === 'text') return <Code text={pretty(String(block.text ?? ''))} label={label} />
  const { data, ...rest } = block
  return (
    <Json value={typeof data === 'string' ? { ...rest, bytes: Math.floor(data.length * 0.75) } : block} label={label} />
  )
}

const pretty = (text: string): string => {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const parseObject = (text: string): { readonly value?: JsonObject; readonly why?: string } => {
  try {
    const value = JSON.parse(text) as JsonValue
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as JsonObject }
    return { why: '{ … }' }
  } catch (error) {
    return { why: (error as Error).message }
  }
}
