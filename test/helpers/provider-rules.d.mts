import type { ProviderFormat } from '../../src/catalog/provider-tools.js'

/** The places of one converted tool that break a rule its provider publishes; empty is legal. */
export type Rule = (tool: any) => readonly string[]

export declare const rules: Readonly<Record<ProviderFormat, Rule>>
