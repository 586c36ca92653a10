/** About how many tokens a model reads for so many bytes of JSON; measured over tool lists with cl100k it is 4 bytes each. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / 4)
