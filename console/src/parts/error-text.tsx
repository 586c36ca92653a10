import { codeOf, useTellError } from '../i18n/error-texts.js'

export interface ErrorTextProps {
  readonly code: string | undefined
  readonly message: string
  /** Names that the sentence of a code may hold: `tool`, `source`. */
  readonly facts?: object
}

/** What went wrong in the reader's language, and what exactly the gateway said. */
export const ErrorText = ({ code, message, facts }: ErrorTextProps) => {
  const { text, original } = useTellError()(code, message, facts)
  if (text === undefined) return <>{original}</>
  return (
    <>
      {text}{' '}
      <span className="original" lang="en">
        {original}
      </span>
    </>
  )
}

export const ThrownText = ({ error }: { readonly error: Error }) => (
  <ErrorText code={codeOf(error)} message={error.message} />
)
