/**
 * About how many tokens a model spends on reading a value. Four bytes of JSON to a token holds within a fifth for tool
 * definitions in English (docs/tokens.md measures with a real tokenizer); Chinese, three bytes a letter, comes out right
 * by the same rule.
 */
export const estimateTokens = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value) ?? '') / 4)
