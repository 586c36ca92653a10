import type { JsonObject } from '../../../model/json.js'
import type { ActionSource, KnowledgeNetwork } from '../actions.js'

/** An action as the configuration declares it (`recall.actions[]`). */
export interface DeclaredAction {
  readonly kn_id: string
  readonly at_id: string
  readonly action_source: ActionSource | null
  readonly actions: readonly { readonly parameters?: Readonly<Record<string, unknown>> | undefined }[]
}

export const executePath = '/api/ontology-query/in/v1/knowledge-networks/:kn_id/action-types/:at_id/execute'

/**
 * A knowledge network that is a list in the configuration, so that the whole flow runs without one. An action type it
 * does not know has no actions, as in a real network: that is an answer, not an error.
 */
export const createDeclaredActions = (
  actions: () => readonly DeclaredAction[],
  executeUrl: (knId: string, atId: string) => string,
): KnowledgeNetwork => ({
  queryActions: async ({ knId, atId }) => {
    const found = actions().find(({ kn_id, at_id }) => kn_id === knId && at_id === atId)
    if (!found) return { action_source: null, actions: [] }
    return {
      action_source: found.action_source,
      actions: found.actions.map(({ parameters = {} }) => ({ parameters: parameters as JsonObject })),
    }
  },
  executeUrl: ({ knId, atId }) => executeUrl(knId, atId),
})
