import type { Progress } from '../../model/call.js'
import type { JsonObject } from '../../model/json.js'

export interface ReadProgress {
  readonly token: unknown
  /** Undefined when the notification is not one. */
  readonly progress: Progress | undefined
}

/** The params of `notifications/progress`, whatever they are. */
export const readProgress = (params: JsonObject | undefined): ReadProgress => {
  const { progressToken: token, progress, total, message } = params ?? {}
  if (typeof progress !== 'number') return { token, progress: undefined }
  return {
    token,
    progress: {
      progress,
      total: typeof total === 'number' ? total : undefined,
      message: typeof message === 'string' ? message : undefined,
    },
  }
}
