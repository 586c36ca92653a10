import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts.js'
import { tryWords } from '../i18n/words-try.js'
import { Button } from '../parts/button.js'
import { useForm } from './form-context.js'
import type { FieldProps } from './scalar-field.js'

export interface NestedProps extends FieldProps {
  readonly depth: number
  /** It has its own way out: an item of a list, an entry of a map. */
  readonly isPart?: boolean
}

/** What may be there and is not. */
export const Unset = ({ node, label, required, path, onSet }: NestedProps & { onSet(): void }) => {
  const say = useTexts(tryWords)
  const problem = useForm().problemAt(path)
  return (
    <div className="schema-unset field" data-path={path}>
      <span className="row">
        <span className="strong small">
          {label}
          {required && <span className="required"> *</span>}
        </span>
        <Button kind="quiet" icon="plus" onClick={onSet}>
          {say('setMember', { name: label })}
        </Button>
      </span>
      {problem && <p className="wrong">{problem}</p>}
      {node.hint && <p className="hint">{node.hint}</p>}
    </div>
  )
}

interface GroupProps extends NestedProps {
  readonly note?: number | undefined
  readonly removable: boolean
  readonly children: ReactNode
}

/** What has parts, with its name around them. */
export const Group = ({ node, label, required, path, note, removable, onChange, children }: GroupProps) => {
  const say = useTexts(tryWords)
  const problem = useForm().problemAt(path)
  return (
    <fieldset data-path={path} className="schema-group">
      {label !== '' && (
        <legend>
          {label}
          {required && <span className="required"> *</span>}
          {note !== undefined && <span className="muted"> · {say('nItems', { n: note })}</span>}
        </legend>
      )}
      {removable && (
        <Button
          kind="quiet"
          icon="close"
          label={say('leaveOut', { name: label })}
          onClick={() => onChange(undefined)}
        />
      )}
      {node.hint && <p className="hint">{node.hint}</p>}
      {problem && <p className="wrong">{problem}</p>}
      {children}
    </fieldset>
  )
}
