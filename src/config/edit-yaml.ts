import { parse, parseDocument } from 'yaml'
import { GatewayError } from '../errors.js'
import type { Edit } from './edit.js'

/** Changes a YAML text where it must and nowhere else: comments, order and blank lines stay. */
export const editYamlText = (text: string, edits: readonly Edit[]): string => {
  const document = parseDocument(text)
  if (document.errors.length > 0)
    throw new GatewayError('CONFIG_INVALID', `The file is not YAML: ${document.errors[0]!.message}`)
  for (const { path, value } of edits) {
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, value)
  }
  return document.toString()
}

/** The text as a value, however much of it can be read. */
export const readYamlText = (text: string): unknown => parseDocument(text).toJS()

/** The text as a value. Throws where it is not YAML. */
export const parseYamlText = (text: string): unknown => parse(text)
