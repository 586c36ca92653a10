import type { Json, JsonObject } from './types.js'

/** A call that waits until its caller answers. */
export interface ParkedCall {
  readonly id: string
  readonly caller: string
  readonly name: string
  readonly asks: readonly string[]
  readonly since: number
  readonly expiresAt?: number
  readonly questions?: readonly string[]
}

export interface SettingField {
  readonly path: string
  readonly kind: 'choice' | 'number' | 'switch' | 'text' | 'list'
  readonly choices?: readonly string[]
  readonly value: Json
  readonly live: boolean
  readonly waits: boolean
  readonly fixedBy?: string
}

export interface SettingsAnswer {
  readonly file?: string
  readonly config: JsonObject & { readonly server: { readonly path: string } }
  readonly fields: readonly SettingField[]
}

export interface ImportRow {
  readonly name: string
  readonly theirName: string
  readonly from: readonly string[]
  readonly outcome: 'add' | 'rename' | 'present' | 'ours' | 'unusable'
  readonly entry: JsonObject
  readonly notes: readonly string[]
  readonly cautions: readonly string[]
}

export interface ImportAnswer {
  readonly file: string
  readonly found: readonly {
    readonly client: string
    readonly path: string
    readonly servers: number
    readonly problem?: string
  }[]
  readonly sources: readonly ImportRow[]
  readonly diff: readonly { readonly sign: ' ' | '+' | '-'; readonly text: string }[]
}
