import { type KeyboardEvent, type RefObject, useId, useRef } from 'react'
import { useTexts } from '../i18n/texts.js'
import { scriptWords } from '../i18n/words-scripts.js'

export interface ScriptEditorProps {
  readonly value: string
  readonly editor: RefObject<HTMLTextAreaElement | null>
  onChange(value: string): void
}

/** Where a script is written. Tab indents, and Esc before it leaves: who has no mouse is not held. */
export const ScriptEditor = ({ value, editor, onChange }: ScriptEditorProps) => {
  const say = useTexts(scriptWords)
  const id = useId()
  const isLeaving = useRef(false)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event
    if (key === 'Escape') isLeaving.current = true
    if (key === 'Tab' && !shiftKey && !ctrlKey && !altKey && !metaKey && !isLeaving.current) {
      event.preventDefault()
      insertAt(event.currentTarget, '  ')
    }
    if (key !== 'Escape' && key !== 'Shift') isLeaving.current = false
  }
  return (
    <div className="field">
      <label htmlFor={id}>{say('script')}</label>
      <textarea
        ref={editor}
        id={id}
        className="mono script-text"
        rows={14}
        wrap="off"
        value={value}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        aria-describedby={`${id}-hint`}
        placeholder={'const list = await tools.tracker.list({ page: 1 })\nreturn list.length'}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          isLeaving.current = false
        }}
      />
      <p className="hint" id={`${id}-hint`}>
        {say('scriptHint')}
      </p>
    </div>
  )
}

/** Puts a text where the caret is. By the browser's own command, which alone can be undone. */
export const insertAt = (editor: HTMLTextAreaElement, text: string): void => {
  editor.focus()
  if (document.execCommand('insertText', false, text)) return
  editor.setRangeText(text, editor.selectionStart, editor.selectionEnd, 'end')
  editor.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Chooses a line, and brings it into sight. */
export const showLine = (editor: HTMLTextAreaElement, line: number): void => {
  const lines = editor.value.split('\n')
  const before = lines.slice(0, line - 1).join('\n')
  const start = line > 1 ? before.length + 1 : 0
  editor.focus()
  editor.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  const height = editor.scrollHeight / Math.max(1, lines.length)
  editor.scrollTop = Math.max(0, (line - 4) * height)
}
