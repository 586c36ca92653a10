import { useEffect, useMemo, useRef, useState } from 'react'
import type { CallAnswer } from '../../../src/faces/admin/try-tool.js'
import type { JsonObject } from '../../../src/model/json.js'
import { formatCount, formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { tryWords } from '../i18n/words-try.js'
import { Badge } from '../parts/badge.js'
import { Code, Json } from '../parts/code.js'
import { ErrorText } from '../parts/error-text.js'
import { Tabs } from '../parts/tabs.js'
import { hrefOf } from '../router.js'

/** What a call came to: what it says, what it says for programs, and all of it as it came. */
export const TryAnswer = ({ answer }: { readonly answer: CallAnswer }) => {
  const say = useTexts(tryWords)
  const [chosen, setChosen] = useState<string>()
  const box = useRef<HTMLElement>(null)
  // On a small screen it lies below what was written.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const { result, error } = answer
  const good = answer.ok && result?.isError !== true
  const content = result?.content ?? []
  const structured = result?.structuredContent
  const tabs = [
    ['text', say('textTab')],
    ...(structured === undefined ? [] : [['structured', say('structuredTab')] as const]),
    ['raw', say('rawTab')],
  ] as const
  const tab = chosen ?? (content.length === 0 && structured !== undefined ? 'structured' : 'text')
  return (
    <section ref={box} className="answer" aria-label={say('result')} aria-live="polite">
      <p className="row">
        <Badge tone={good ? 'good' : 'bad'}>{error?.code ?? (good ? say('answered') : 'isError')}</Badge>
        <span className="muted">{say(good ? 'answeredIn' : 'failedIn', { time: formatMs(answer.latencyMs) })}</span>
      </p>
      {error && (
        <div className="notice bad">
          <ErrorText code={error.code} message={error.message} />
          {/sampling\/createMessage/.test(error.message) && <p>{say('asksModel')}</p>}
          {error.code === 'APPROVAL_REQUIRED' && (
            <p>
              <a href={hrefOf('approvals')}>{say('toApprovals')}</a>
            </p>
          )}
        </div>
      )}
      {result && (
        <Tabs label={say('result')} tabs={tabs} chosen={tab} onChoose={setChosen}>
          {tab === 'text' && <Content blocks={content} />}
          {tab === 'structured' && <Json value={structured} label={say('structuredTab')} />}
          {tab === 'raw' && <Json value={shortened(result as unknown as JsonObject)} label={say('rawTab')} />}
        </Tabs>
      )}
    </section>
  )
}

const mostBlocks = 50

const Content = ({ blocks }: { readonly blocks: readonly JsonObject[] }) => {
  const say = useTexts(tryWords)
  if (blocks.length === 0) return <p className="muted">{say('noContent')}</p>
  return blocks.slice(0, mostBlocks).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an answer does not change while it is shown
    <Block key={index} block={block} n={index + 1} />
  ))
}

/** Words are text, whatever stands in them; pictures and sounds come from the answer itself, never from an address (T38). */
const Block = ({ block, n }: { readonly block: JsonObject; readonly n: number }) => {
  const say = useTexts(tryWords)
  const label = `${say('result')} ${n}`
  if (block.type === 'text') return <Words text={pretty(String(block.text ?? ''))} label={label} />
  if (block.type === 'image' || block.type === 'audio') return <Media data={block.data} type={block.mimeType} n={n} />
  if (block.type === 'resource') return <Resource resource={block.resource as JsonObject | undefined} n={n} />
  if (block.type === 'resource_link')
    return (
      <div className="answer-part">
        <p className="row">
          <Badge>{say('resource')}</Badge>
          <span className="strong">{String(block.title ?? block.name ?? '')}</span>
          {typeof block.mimeType === 'string' && <span className="muted small">{block.mimeType}</span>}
        </p>
        <Code text={String(block.uri ?? '')} label={label} />
        {typeof block.description === 'string' && <p className="hint">{block.description}</p>}
      </div>
    )
  return <Json value={shortened(block)} label={label} />
}

const Resource = ({ resource = {}, n }: { readonly resource: JsonObject | undefined; readonly n: number }) => {
  const say = useTexts(tryWords)
  const { uri, mimeType, text, blob } = resource
  return (
    <div className="answer-part">
      <p className="row">
        <Badge>{say('resource')}</Badge>
        <span className="mono break">{String(uri ?? '')}</span>
        {typeof mimeType === 'string' && <span className="muted small">{mimeType}</span>}
      </p>
      {typeof text === 'string' && <Words text={pretty(text)} label={`${say('resource')} ${n}`} />}
      {typeof blob === 'string' && <Media data={blob} type={mimeType} n={n} />}
    </div>
  )
}

const mostShown = 100_000

const Words = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const say = useTexts(tryWords)
  const isLong = text.length > mostShown
  return (
    <>
      <Code text={isLong ? text.slice(0, mostShown) : text} copied={text} label={label} />
      {isLong && <p className="hint">{say('shortened')}</p>}
    </>
  )
}

const mostBytes = 16 * 1024 * 1024
// No svg: it is a document with scripts and addresses of its own, whatever it looks like.
const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
const sounds = /^audio\/(?:mpeg|mp3|mp4|aac|ogg|opus|wav|x-wav|wave|webm|flac)$/

/** Bytes of the answer as what they say they are, if that is something a browser only paints or plays. */
const Media = ({ data, type, n }: { readonly data: unknown; readonly type: unknown; readonly n: number }) => {
  const say = useTexts(tryWords)
  const kind = typeof type === 'string' ? type.split(';')[0]!.trim().toLowerCase() : ''
  const text = typeof data === 'string' ? data : ''
  const bytes = Math.floor(text.length * 0.75)
  const isPicture = pictures.has(kind)
  const isSound = sounds.test(kind)
  const url = useObjectUrl(
    text,
    bytes > mostBytes ? undefined : isPicture || isSound ? kind : 'application/octet-stream',
  )
  return (
    <figure className="answer-media">
      {url !== undefined && isPicture && <img src={url} alt={say('picture', { n })} />}
      {/* biome-ignore lint/a11y/useMediaCaption: what a tool plays comes without words */}
      {url !== undefined && isSound && <audio src={url} controls aria-label={say('sound', { n })} />}
      <figcaption className="row muted small">
        <span>{kind || '—'}</span>
        <span>{say('bytes', { n: formatCount(bytes) })}</span>
        {!isPicture && !isSound && <span>{say('notShown')}</span>}
        {url === undefined && <span>{say('tooBigToShow')}</span>}
        {url !== undefined && (
          <a href={url} download={`result-${n}.${isPicture || isSound ? kind.split('/')[1] : 'bin'}`}>
            {say('saveFile')}
          </a>
        )}
      </figcaption>
    </figure>
  )
}

/** An address of this page for bytes that it holds, for as long as they are shown. */
const useObjectUrl = (base64: string, type: string | undefined): string | undefined => {
  const blob = useMemo(() => {
    if (type === undefined) return undefined
    try {
      const binary = atob(base64.replace(/\s+/g, ''))
      return new Blob([Uint8Array.from(binary, (each) => each.charCodeAt(0))], { type })
    } catch {
      return undefined
    }
  }, [base64, type])
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return setUrl(undefined)
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}

/** As it came, but for bytes: nobody reads those. */
const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      (key === 'data' || key === 'blob') && typeof each === 'string' && each.length > 200
        ? [key, `${each.slice(0, 60)}… (${Math.floor(each.length * 0.75)} bytes)`]
        : [key, shortened(each)],
    ),
  )
}

const pretty = (text: string): string => {
  if (!/^\s*[[{]/.test(text) || text.length > mostShown) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
