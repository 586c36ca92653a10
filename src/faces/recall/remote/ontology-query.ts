import { isRecord, type JsonObject } from '../../../model/json.js'
import type { ActionSource, KnowledgeNetwork } from '../actions.js'
import type { ServiceClient } from './service-client.js'

const base = '/api/ontology-query/in/v1/knowledge-networks'

/** A real knowledge network. Its query is a GET in a POST's clothes, since identities do not fit a URL. */
export const createOntologyQuery = (client: ServiceClient): KnowledgeNetwork => ({
  queryActions: async ({ knId, atId, identities }, context) => {
    const body = { _instance_identities: identities, unique_identities: identities, include_type_info: false }
    const path = `${base}/${encodeURIComponent(knId)}/action-types/${encodeURIComponent(atId)}`
    const found = await client.ask('POST', path, context, body, { 'x-http-method-override': 'GET' })
    return { action_source: sourceOf(found.action_source), actions: listOf(found.actions) }
  },
  executeUrl: ({ knId, atId }) =>
    `${client.url}${base}/${encodeURIComponent(knId)}/action-types/${encodeURIComponent(atId)}/execute`,
})

const sourceOf = (value: unknown): ActionSource | null =>
  isRecord(value) && typeof value.type === 'string' ? (value as unknown as ActionSource) : null

const listOf = (value: unknown): { readonly parameters: JsonObject }[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .map((action) => ({ ...action, parameters: isRecord(action.parameters) ? (action.parameters as JsonObject) : {} }))
