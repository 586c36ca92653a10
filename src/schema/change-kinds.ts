/**
 * What a change means to whoever approved the schema as it was.
 * `words`: a model reads something new. `widening`: more is taken than before. `other`: nobody can tell, so it counts as
 * both. `opened`: unknown properties are taken now; a change of spelling while nothing else is new. `narrowing`: less is taken.
 * `cosmetic`: the same in other spelling.
 */
export type ChangeKind = 'words' | 'widening' | 'other' | 'opened' | 'narrowing' | 'cosmetic'

export interface DefinitionDifference {
  /** Where, as a path from the definition: `inputSchema.properties.path.description`. */
  readonly path: string
  readonly kind: ChangeKind
}
