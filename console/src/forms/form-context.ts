import { createContext, useContext } from 'react'
import type { JsonObject } from '../../../src/model/json.js'

/** What all fields of one form share. */
export interface FormShared {
  /** What references speak of. */
  readonly root: JsonObject
  /** What is wrong at this place, as it is told to the reader. */
  problemAt(path: string): string | undefined
  /** What is typed there is no JSON yet, and counts as nothing; undefined when it is. */
  onBroken(path: string, why: string | undefined): void
}

export const FormContext = createContext<FormShared>({ root: {}, problemAt: () => undefined, onBroken: () => {} })

export const useForm = (): FormShared => useContext(FormContext)
