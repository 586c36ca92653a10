import { useEffect, useState } from 'react'
import type { CheckedArguments } from '../../../src/faces/admin/try-tool.js'
import type { JsonObject } from '../../../src/model/json.js'
import { post, segment } from '../api/client.js'
import type { Language } from '../i18n/words.js'
import { keywordWords } from '../i18n/words-try.js'

export type Unfit = CheckedArguments['problems'][number]

const pauseMs = 250

/** Asks the gateway whether arguments fit; what it cannot say now, the call will. */
export const checkArguments = async (tool: string, args: JsonObject): Promise<readonly Unfit[]> =>
  post<CheckedArguments>(`/tools/${segment(tool)}/check`, { args }).then(
    ({ problems }) => problems,
    () => [],
  )

/** What does not fit, asked anew when the writer pauses. */
export const useCheck = (tool: string, args: JsonObject | undefined, isOn: boolean): readonly Unfit[] => {
  const [found, setFound] = useState<readonly Unfit[]>([])
  const asked = args === undefined || !isOn ? undefined : JSON.stringify(args)
  useEffect(() => {
    if (asked === undefined) return setFound([])
    let left = false
    const timer = setTimeout(() => {
      void checkArguments(tool, JSON.parse(asked)).then((problems) => left || setFound(problems))
    }, pauseMs)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [tool, asked])
  return found
}

/** In the reader's language; the gateway's own sentence beside it. */
export const tellUnfit = ({ keyword, message }: Unfit, language: Language): string => {
  const known = language === 'zh' ? keywordWords[keyword] : undefined
  return known === undefined ? message : keyword === 'required' ? known : `${known}（${message}）`
}
