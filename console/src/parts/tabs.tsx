import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly (readonly [id: string, text: string])[]
  readonly chosen: string
  readonly children: ReactNode
  onChoose(id: string): void
}

/** Tabs as ARIA describes them: one stop for the Tab key, arrows between them. */
export const Tabs = ({ label, tabs, chosen, children, onChoose }: TabsProps) => {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = tabs.findIndex(([id]) => id === chosen)
    const next = tabs[(at + step + tabs.length) % tabs.length]![0]
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
  }
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(([id, text]) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            data-tab={id}
            aria-selected={id === chosen}
            aria-controls={`${base}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${base}-panel`} role="tabpanel" aria-labelledby={`${base}-${chosen}`} className="panel">
        {children}
      </div>
    </>
  )
}
