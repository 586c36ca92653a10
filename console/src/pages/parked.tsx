import { useState } from 'react'
import type { ParkedRow } from '../../../src/faces/admin/parked.js'
import { del, segment } from '../api/client.js'
import { useLive } from '../api/live.js'
import { formatTime } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import type { Key } from '../i18n/words.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Code } from '../parts/code.js'
import { Ask } from '../parts/dialog.js'
import { Card } from '../parts/page.js'
import { Countdown } from '../parts/retry.js'
import { attempt } from '../parts/toast.js'

const kinds: Readonly<Record<string, Key>> = {
  'elicitation/create': 'asksForm',
  'sampling/createMessage': 'asksModel',
  'roots/list': 'asksFolders',
}

/** Calls that wait until their callers answer a question; nothing where none does. */
export const Parked = () => {
  const say = useTexts()
  const { parked } = useLive()
  const [ending, setEnding] = useState<ParkedRow>()
  const cancel = async ({ id }: ParkedRow): Promise<void> => {
    setEnding(undefined)
    await attempt(() => del(`/parked/${segment(id)}`), say('done'))
  }
  if (parked.length === 0 && !ending) return null
  return (
    <Card title={say('waitingForAnswer', { n: parked.length })}>
      <ul className="plain-list">
        {parked.map((call) => (
          <ParkedLine key={call.id} call={call} onCancel={() => setEnding(call)} />
        ))}
      </ul>
      {ending && (
        <Ask
          title={say('cancelCall')}
          text={say('cancelCallSure', { name: ending.name })}
          action={say('cancelCall')}
          onYes={() => void cancel(ending)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Card>
  )
}

const ParkedLine = ({ call, onCancel }: { readonly call: ParkedRow; onCancel(): void }) => {
  const say = useTexts()
  const language = useLanguage()
  return (
    <li className="parked-line">
      <span className="strong mono">{call.name}</span>
      <span className="muted mono">{call.caller}</span>
      {call.replica !== undefined && <span className="muted small">{say('runsAt', { name: call.replica })}</span>}
      {call.asks.map((method, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call may ask the same thing twice
        <Badge key={index} tone="accent">
          {kinds[method] ? say(kinds[method]) : method}
        </Badge>
      ))}
      <span className="muted small">{say('since', { time: formatTime(call.since, language) })}</span>
      <span className="muted small">
        {call.expiresAt === undefined ? say('callerIsHere') : <Countdown at={call.expiresAt} text="givenUpIn" />}
      </span>
      <span className="end">
        <Button right="operate" onClick={onCancel} label={`${say('cancelCall')}: ${call.name}`}>
          {say('cancelCall')}
        </Button>
      </span>
      {call.questions?.map((question, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: questions have no name but their place
        <div key={index} className="wide">
          <Code text={question} label={say('question')} />
        </div>
      ))}
    </li>
  )
}
