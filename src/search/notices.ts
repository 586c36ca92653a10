/** What an asker is told beside the results. Models read these: each says what to do next. */
export const notices = {
  empty: 'The query is empty. Say what the tool should do: an action and an object, such as "create issue".',
  noWords: 'The query has no words to search for. Say what the tool should do in plain words.',
  noTools: 'There is no tool to be found.',
  nothing: 'No tool matches. Try other words for the action and the object, one need per search.',
  weak: 'Only weak matches. Name the action, the object and the service, one need per search.',
  cut: 'The query was longer than can be searched; only its beginning was used.',
  literal: 'The query is not a regular expression, so it was looked for as it stands.',
  slowPattern: 'The pattern took too long; the results may be incomplete. Use a simpler pattern.',
  noVectors: 'Embeddings are not available now; words were matched instead.',
  preparing:
    'Many tools are new and still being read for meaning; words were matched. Search again in a moment for more.',
  someVectors: 'Some tools have no embedding yet; they were matched by words only.',
} as const

/** Notices as one text, or nothing. */
export const joinNotices = (...parts: readonly (string | undefined)[]): { readonly notice?: string | undefined } => {
  const said = parts.filter((part) => part !== undefined)
  return said.length > 0 ? { notice: said.join(' ') } : {}
}
