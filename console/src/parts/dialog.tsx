import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTexts } from '../i18n/texts.js'
import { Button } from './button.js'

export interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly wide?: boolean
  onClose(): void
}

/** The browser's own dialog: it keeps the focus inside and gives it back. */
export const Dialog = ({ title, children, wide, onClose }: DialogProps) => {
  const say = useTexts()
  const box = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    if (!box.current?.open) box.current?.showModal()
  }, [])
  return (
    <dialog ref={box} className={wide ? 'wide' : undefined} aria-labelledby={heading} onClose={onClose}>
      <header>
        <h2 id={heading}>{title}</h2>
        <Button kind="quiet" icon="close" label={say('close')} onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}

export interface AskProps {
  readonly title: string
  readonly text: string
  readonly action: string
  onYes(): void
  onClose(): void
}

/** Asks before something that cannot be taken back. */
export const Ask = ({ title, text, action, onYes, onClose }: AskProps) => {
  const say = useTexts()
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <footer>
        <Button onClick={onClose}>{say('cancel')}</Button>
        <Button kind="danger" onClick={onYes}>
          {action}
        </Button>
      </footer>
    </Dialog>
  )
}
