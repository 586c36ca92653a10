import * as nodeModule from 'node:module'
import { GatewayError } from '../errors.js'

// Models put scripts into a fence, with or without words around it.
const fenced = /^\s*```[ \t]*(?:js|javascript|mjs|ts|typescript)?[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```\s*$/i
// A whole function instead of its body: `async () => { … }`, `async function main() { … }`, with or without a call behind it.
const wholeArrow = /^\s*\(?\s*async\s*\(\s*\)\s*=>\s*\{[\s\S]*\}\s*\)?\s*(?:\(\s*\))?\s*;?\s*$/
const wholeFunction = /^\s*\(?\s*async\s+function\s*[\w$]*\s*\(\s*\)\s*\{[\s\S]*\}\s*\)?\s*(?:\(\s*\))?\s*;?\s*$/

type Strip = (code: string, options?: { readonly mode: 'strip' }) => string

/**
 * The body of an async function, of what a model wrote. Line 1 stays line 1 of what is inside a fence: errors name lines. Types
 * are taken out where Node can do that; where it cannot they are a syntax error, which says so by itself.
 */
export const toScriptBody = (text: string, mostBytes: number): string => {
  const bytes = Buffer.byteLength(text)
  if (bytes > mostBytes)
    throw invalid(`The script has ${bytes} bytes; at most ${mostBytes} are run. Give data as input instead.`)
  if (text.includes('\0'))
    throw invalid('The script holds a NUL character; write it as \\u0000 within a text.', lineOf(text, '\0'))
  const inner = fenced.exec(text)?.[1] ?? text
  if (inner.trim() === '') throw invalid('The script is empty.')
  return withoutTypes(asBody(inner))
}

/** A whole function is called where it stands, on the line where it stands. */
const asBody = (text: string): string => {
  if (!wholeArrow.test(text) && !wholeFunction.test(text)) return text
  const called = /\(\s*\)\s*;?\s*$/.test(text) && /\}\s*\)\s*\(\s*\)\s*;?\s*$/.test(text)
  const plain = text.replace(/;?\s*$/, '')
  return called ? `return ${plain.trimStart()}` : `return (${plain.trimStart()})()`
}

const withoutTypes = (text: string): string => {
  const strip = (nodeModule as { stripTypeScriptTypes?: Strip | undefined }).stripTypeScriptTypes
  if (!strip || !looksTyped.test(text)) return text
  try {
    // Types become blanks, so that lines and columns stay.
    const stripped = strip(`async()=>{${text}\n}`, { mode: 'strip' })
    return stripped.slice('async()=>{'.length, stripped.lastIndexOf('}'))
  } catch {
    // Not TypeScript either: the engine says what is wrong with it.
    return text
  }
}

const looksTyped = /\b(?:interface|type|enum)\s+\w|[\w)\]]\s*:\s*[\w{[(]|\bas\s+\w|<\w[^>]*>\s*\(/

const lineOf = (text: string, mark: string): number => text.slice(0, text.indexOf(mark)).split('\n').length

const invalid = (message: string, line?: number): GatewayError =>
  new GatewayError('SCRIPT_INVALID', message, { details: { line }, notSent: true })
