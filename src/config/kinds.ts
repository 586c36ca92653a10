import { z } from 'zod'
import * as fields from './fields.js'
import { profile, profileName } from './profile-schema.js'
import { actions } from './recall-schema.js'
import { endpoints } from './xiaozhi-schema.js'

/** What the table of settings makes its schemas of. Handed to it, so that the table alone loads no schema library. */
export const kinds = { z, ...fields, profiles: z.record(profileName, profile), actions, endpoints }
export type Kinds = typeof kinds
