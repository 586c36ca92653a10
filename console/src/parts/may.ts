import { createContext, useContext } from 'react'
import type { Me } from '../../../src/faces/admin/session.js'

export type Right = 'look' | 'operate' | 'approve' | 'admin' | 'spawn' | 'call' | 'discover' | 'register'

/** Who reads this page. */
export const MeContext = createContext<Me | undefined>(undefined)

/** Whether the reader may do what needs this right. The gateway asks again; this only keeps what would be refused from sight. */
export const useMay = (): ((right: Right | undefined) => boolean) => {
  const me = useContext(MeContext)
  return (right) => right === undefined || (me?.rights.includes(right) ?? false)
}
