import { OverridesInForce } from '../catalog/overrides.js'
import type { OverrideRules, Overrides, OverridesRooms } from '../catalog/overriding.js'
import type { Clock } from '../model/clock.js'
import type { Schemas } from '../schema/schemas.js'
import type { Source } from '../sources/source.js'
import type { OverrideSteps } from './order.js'
import { kept } from './steps/kept.js'
import { preset } from './steps/preset.js'
import { results } from './steps/results.js'

/**
 * All that overrides need, for whoever has some: a gateway is given it, so that one without overrides carries none of it
 * along.
 */
export interface Overriding {
  readonly rules: OverrideRules
}

/** The same as the gateway knows it. */
export interface OpenableOverrides extends Overriding {
  open(rooms: OverridesRooms): Overrides
  steps(
    schemas: Pick<Schemas, 'validator'>,
    clock: Clock,
    isolationOf: (source: string) => Source['isolation'],
  ): OverrideSteps
}

/** Shows tools by these rules: `createGateway({ overrides: overridingBy(rules) })`. */
export const overridingBy = (rules: OverrideRules): Overriding => {
  const made: OpenableOverrides = {
    rules,
    open: (rooms) => new OverridesInForce(rules, rooms),
    steps: (schemas, clock, isolationOf) => ({
      preset: preset(schemas, clock),
      kept: kept(clock, isolationOf),
      results: results(),
    }),
  }
  return made
}
