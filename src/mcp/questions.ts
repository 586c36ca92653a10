import type { Question } from '../model/asking.js'
import { isRecord, type JsonObject } from '../model/json.js'

/**
 * The capability that a client would have to declare to be asked this, or undefined when it did. An empty
 * `elicitation` means forms only, as both eras say.
 */
export const missingCapability = (question: Question, capabilities: JsonObject): JsonObject | undefined => {
  switch (question.method) {
    case 'elicitation/create':
      return missingElicitation(question, capabilities)
    case 'sampling/createMessage':
      return missingSampling(question, capabilities)
    case 'roots/list':
      return capabilities.roots === undefined ? { roots: {} } : undefined
    default:
      return {}
  }
}

const missingElicitation = ({ params }: Question, { elicitation }: JsonObject): JsonObject | undefined => {
  const mode = params?.mode === 'url' ? 'url' : 'form'
  if (!isRecord(elicitation)) return { elicitation: { [mode]: {} } }
  const formOnly = elicitation.form === undefined && elicitation.url === undefined
  const has = mode === 'form' && formOnly ? true : elicitation[mode] !== undefined
  return has ? undefined : { elicitation: { [mode]: {} } }
}

const missingSampling = ({ params }: Question, { sampling }: JsonObject): JsonObject | undefined => {
  if (!isRecord(sampling)) return { sampling: {} }
  return params?.tools !== undefined && sampling.tools === undefined ? { sampling: { tools: {} } } : undefined
}
