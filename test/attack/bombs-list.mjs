// Every schema bomb there is, under a name that a tool may have.
import { bombs as known } from '../helpers/schema-bombs/bombs.mjs'

export const bombs = known.map((bomb, index) => ({ ...bomb, name: `bomb_${index}` }))
