import type { JsonObject } from '../../model/json.js'
import type { ToolSpec } from '../../model/tool.js'

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie'

/** One parameter: which argument it takes, and how it is written. */
export interface ParameterPlan {
  readonly argument: string
  readonly name: string
  readonly place: ParameterLocation
  readonly style: string
  readonly explode: boolean
  /** Written as JSON text, for parameters described by `content`. */
  readonly asJson: boolean
}

/** The body: its own argument, or everything that is no parameter. */
export interface BodyPlan {
  readonly argument: string | undefined
  readonly mediaType: string
  readonly required: boolean
  /** Properties that are files, in a multipart body. */
  readonly files: readonly string[]
}

/** An operation of the document as a tool, and how a call of it becomes a request. */
export interface OperationPlan {
  readonly spec: ToolSpec
  readonly method: string
  /** As the document has it: `/pets/{id}`. */
  readonly path: string
  readonly parameters: readonly ParameterPlan[]
  readonly body: BodyPlan | undefined
  /** The server of this operation, if the document names one of its own. */
  readonly server: string | undefined
}

/** One document read: its tools by name. */
export interface OperationSet {
  readonly plans: ReadonlyMap<string, OperationPlan>
  readonly server: string | undefined
  readonly title: string
}

export type OpenApiDocument = JsonObject
