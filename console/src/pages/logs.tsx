import { useEffect, useRef, useState } from 'react'
import type { LogAnswer, LogLine } from '../../../src/faces/admin/calls.js'
import { useLive } from '../api/live.js'
import { joinLines, useLines } from '../api/live-log.js'
import { useLoad } from '../api/use-load.js'
import { formatCount, formatMoment, formatTime } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { offerWords } from '../i18n/words-offers.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/field.js'
import { Failure, Loading, Page } from '../parts/page.js'
import { hrefOf } from '../router.js'
import { fitsWords } from './source-order.js'

const levels = { '': ['info', 'warn', 'error'], warn: ['warn', 'error'], error: ['error'] } as const
type Least = keyof typeof levels

/** What the gateway and its sources say, as they say it (G10). */
export const Logs = ({ item }: { readonly item: string | undefined }) => {
  const say = useTexts(offerWords)
  const { connected, sources } = useLive()
  const { data, error } = useLoad<LogAnswer>('/logs', connected)
  const live = useLines()
  const [words, setWords] = useState('')
  const [least, setLeast] = useState<Least>('')
  const [source, setSource] = useState(item ?? '')
  const [paused, setPaused] = useState<readonly LogLine[]>()
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const all = joinLines(data.lines, live)
  const lines = (paused ?? all).filter(
    (line) =>
      (levels[least] as readonly string[]).includes(line.level) &&
      (source === '' || (line.source ?? ownName) === source) &&
      fitsWords([line.message, line.source, line.service], words),
  )
  const names = [...new Set([...sources.map(({ name }) => name), ...all.flatMap((line) => line.source ?? [])])].sort()
  return (
    <Page title={say('logPage')} lead={say('logLead')}>
      <search className="row filters log-filters">
        <input
          type="search"
          aria-label={say('filterLog')}
          placeholder={say('filterLog')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <Choice
          label={say('level')}
          value={least}
          onChange={(next) => setLeast(next as Least)}
          options={[
            ['', say('everyLevel')],
            ['warn', say('warnUp')],
            ['error', say('errorOnly')],
          ]}
        />
        <Choice
          label={say('source')}
          value={source}
          onChange={setSource}
          options={[
            ['', say('everySource')],
            [ownName, say('gatewayOnly')],
            ...names.map((each) => [each, each] as const),
          ]}
        />
        <Button pressed={paused !== undefined} onClick={() => setPaused(paused ? undefined : all)}>
          {say(paused ? 'resume' : 'pause')}
        </Button>
      </search>
      <p className="muted small" role="status">
        {paused
          ? say('pausedAt', { n: formatCount(Math.max(0, countAfter(all, paused.at(-1)))) })
          : say('nLines', { n: formatCount(lines.length) })}
      </p>
      <Lines lines={lines} isFollowed={paused === undefined} />
    </Page>
  )
}

/** No source is called so: names have no such sign. */
const ownName = '\u0000'

const countAfter = (all: readonly LogLine[], last: LogLine | undefined): number =>
  last === undefined ? all.length : all.filter(({ at, n }) => at > last.at || (at === last.at && n > last.n)).length

const Lines = ({ lines, isFollowed }: { readonly lines: readonly LogLine[]; readonly isFollowed: boolean }) => {
  const say = useTexts(offerWords)
  const language = useLanguage()
  const box = useRef<HTMLDivElement>(null)
  // Who has scrolled up reads; who is at the end follows.
  const atEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a line came
  useEffect(() => {
    if (isFollowed && atEnd.current) box.current?.scrollTo(0, box.current.scrollHeight)
  }, [lines.length, lines.at(-1)?.n, isFollowed])
  return (
    <div
      ref={box}
      className="log log-page"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
      tabIndex={0}
      role="log"
      aria-label={say('logPage')}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 40
      }}
    >
      {lines.length === 0 && <p className="muted">{say('noLines')}</p>}
      {lines.map((line) => (
        <p key={`${line.replica ?? ''} ${line.n} ${line.at}`} className={line.level}>
          <time className="muted" dateTime={new Date(line.at).toISOString()} title={formatMoment(line.at, language)}>
            {formatTime(line.at, language)}
          </time>{' '}
          {line.level !== 'info' && <strong>{line.level}</strong>}{' '}
          {line.source === undefined ? (
            line.service !== undefined && <span className="muted">[{line.service}]</span>
          ) : (
            <a href={hrefOf('sources', line.source)}>{line.source}</a>
          )}{' '}
          {line.replica !== undefined && <span className="muted">@{line.replica}</span>} {line.message}
        </p>
      ))}
    </div>
  )
}
