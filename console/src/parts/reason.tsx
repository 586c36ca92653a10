import { tellReason } from '../i18n/states.js'
import { useLanguage } from '../i18n/texts.js'
import { Retry } from './retry.js'

/** Why a source is as it is, and when it is tried again. */
export const Reason = ({ reason, retryAt }: { readonly reason: string; readonly retryAt?: number | undefined }) => {
  const language = useLanguage()
  return (
    <>
      {tellReason(reason, language)} <Retry at={retryAt} />
    </>
  )
}
