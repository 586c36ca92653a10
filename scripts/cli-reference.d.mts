import type { Command } from 'commander'

export declare const withReference: (text: string, program: Command) => string
