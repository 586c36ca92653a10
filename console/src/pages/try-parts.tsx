import type { ToolDetail } from '../../../src/faces/admin/tools.js'
import type { CallEvents } from '../../../src/faces/admin/try-tool.js'
import type { JsonObject } from '../../../src/model/json.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { tryWords } from '../i18n/words-try.js'
import { Button } from '../parts/button.js'
import { attempt, tell } from '../parts/toast.js'
import { tellUnfit, type Unfit } from './try-check.js'
import { asCommand, asCurl, asTypeScript } from './try-copies.js'

export interface UnfittingProps {
  readonly problems: readonly Unfit[]
  readonly onGo: ((path: string) => void) | undefined
  readonly onAnyway: (() => void) | undefined
}

/** What does not fit, each with a way to its field. */
export const Unfitting = ({ problems, onGo, onAnyway }: UnfittingProps) => {
  const say = useTexts(tryWords)
  const language = useLanguage()
  return (
    <div className="notice bad" role="alert">
      <p className="strong">{say('unfit', { n: problems.length })}</p>
      <ul className="plain">
        {problems.slice(0, 8).map((each) => (
          <li key={`${each.path} ${each.keyword} ${each.message}`}>
            {onGo ? (
              <button type="button" className="link mono" onClick={() => onGo(each.path)}>
                {each.path || '/'}
              </button>
            ) : (
              <span className="mono">{each.path || '/'}</span>
            )}{' '}
            {tellUnfit(each, language)}
          </li>
        ))}
      </ul>
      {onAnyway && (
        <Button right="operate" onClick={onAnyway}>
          {say('sendAnyway')}
        </Button>
      )}
    </div>
  )
}

/** How far it is, as far as the tool says. */
export const Going = ({ progress }: { readonly progress: CallEvents['progress'] | undefined }) => {
  const say = useTexts(tryWords)
  const total = progress?.total
  return (
    <div className="try-going" role="status">
      {total === undefined ? (
        <progress aria-label={say('calling')} />
      ) : (
        <progress aria-label={say('calling')} value={progress?.progress} max={total} />
      )}
      <span className="muted small">
        {progress === undefined
          ? say('calling')
          : [
              total === undefined
                ? String(progress.progress)
                : say('progressOf', { progress: progress.progress, total }),
              progress.message ?? '',
            ].join(' ')}
      </span>
    </div>
  )
}

/** The same call for other places, without a key. */
export const Copies = ({ tool, args }: { readonly tool: ToolDetail; readonly args: JsonObject | undefined }) => {
  const say = useTexts(tryWords)
  const copy = (text: string): void =>
    void attempt(() => navigator.clipboard.writeText(text)).then((ok) => ok && tell(say('copied')))
  const base = new URL('.', document.baseURI).href
  const id = tool.shownAs ?? tool.id
  const name = String(tool.advertised?.name ?? tool.id)
  const given = args ?? {}
  return (
    <span className="row copies">
      <span className="muted small">{say('copyAs')}</span>
      <Button kind="quiet" label={say('copyCurl')} disabled={!args} onClick={() => copy(asCurl(id, given, base))}>
        curl
      </Button>
      <Button kind="quiet" label={say('copyCli')} disabled={!args} onClick={() => copy(asCommand(id, given))}>
        CLI
      </Button>
      <Button
        kind="quiet"
        label={say('copyTs')}
        disabled={!args}
        onClick={() => copy(asTypeScript(name, given, `${base}mcp`))}
      >
        TypeScript
      </Button>
    </span>
  )
}
