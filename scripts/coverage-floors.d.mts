export declare const floors: Readonly<Record<string, number>>
