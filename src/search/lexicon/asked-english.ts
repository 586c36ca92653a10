import { askedFor, askedVerbs, verbNouns } from '../data/verbs.js'
import { formsOf, readRows, type ToolDeed, type Wish, wordsIn } from './verb-table.js'

/** What the English of a query asks for. */
export const askedInEnglish = (text: string): readonly Wish[] => {
  const words = cut(text)
  if (asksWhether.has(words[0]?.word ?? '')) return [anAnswer]
  const wishes: Wish[] = []
  for (let at = 0; at < words.length; at++) {
    // `A tool that deletes what I name` has no question in it.
    if (isQuestion(words, at) && wishes.every(({ deeds }) => deeds.every((deed) => reads.has(deed)))) {
      // It asks for an answer, whatever verbs are in it.
      wishes.push(anAnswer)
      at = endOfClause(words, at)
      continue
    }
    if (!startsAsking(words, at)) continue
    const wish = isNegated(words, at) ? undefined : verbAt(words, at)
    if (wish) wishes.push(wish)
  }
  return wishes
}

const reads: ReadonlySet<ToolDeed> = new Set(['get', 'list'])
const anAnswer: Wish = { deeds: ['get', 'list'] }

interface Word {
  readonly word: string
  readonly capital: boolean
}

const piece = /[A-Za-z]+(?:['’][a-z]+)?|[0-9]+|[,.;:!?\n]|\p{Script=Han}+/gu
const mark = /^[^A-Za-z0-9]/u

const cut = (text: string): readonly Word[] =>
  (text.match(piece) ?? []).map((part) => ({
    word: part.toLowerCase().replace('’', "'"),
    capital: /^[A-Z]/.test(part),
  }))

const set = (text: string): ReadonlySet<string> => new Set(wordsIn(text))

const asksWhether = set('is are was were am did does has have had')
const questionWords = set("what what's which who who's whose where where's when why whether any")
const wantsToAct = set('do can to could would should about')
// Behind these somebody says what shall be done.
const opening = set(`
  and then or but to please me us can could will would should must let let's lets that which who by for kindly also just now first next
  finally always help need want i'll`)
const thirds = set('that which who it and automatically')
const pronouns = set('i you we they it')
const negations = set("not don't dont never without doesn't won't shouldn't no")
const afterVerbs = set(`
  a an the my your our his her its their this that these those me him them us it all every each some any to about in on with everyone
  everybody someone somebody people one two three another`)

const startsAsking = (words: readonly Word[], at: number): boolean => {
  const before = words[at - 1]?.word
  if (before === undefined || mark.test(before) || opening.has(before)) return true
  // `Can you remember` asks for it, `everything you remember` does not.
  if (pronouns.has(before)) return at === 1 || opening.has(words[at - 2]!.word) || words[at - 2]!.word === 'do'
  return before.endsWith('ly') || negations.has(before)
}

const isQuestion = (words: readonly Word[], at: number): boolean => {
  const [{ word }, next] = [words[at]!, words[at + 1]?.word ?? '']
  // `How do I …` is asked by somebody who wants it done, `how big` and `do I have` by somebody who wants to know.
  if (word === 'how') return next !== '' && !wantsToAct.has(next)
  if (word === 'do') return at === 0 && pronouns.has(next) && words[at + 2]?.word === 'have'
  return questionWords.has(word)
}

const isNegated = (words: readonly Word[], at: number): boolean =>
  negations.has(words[at - 1]?.word ?? '') || negations.has(words[at - 2]?.word ?? '')

const endOfClause = (words: readonly Word[], at: number): number => {
  let end = at
  while (end + 1 < words.length && !mark.test(words[end + 1]!.word)) end += 1
  return end
}

// `Throw the container away` and `throw away the container`.
const particles = set('away off on out up down back')
const longestPhrase = 4
const reach = 7

const verbAt = (words: readonly Word[], at: number): Wish | undefined => {
  const { phrases, forms, objects, nouns } = tables()
  const [{ word }, next] = [words[at]!, words[at + 1]]
  const lemma = forms.get(word)
  const isNoun = lemma !== undefined && nouns.has(lemma) && !next?.capital && !afterVerbs.has(next?.word ?? '')
  const byObject =
    lemma === undefined || isNoun ? undefined : objects.get(lemma)?.find((row) => hasObject(row.objects, words, at))
  if (byObject) return { deeds: byObject.deeds, verb: word }
  for (let length = longestPhrase; length > 1; length--) {
    const rest = words.slice(at + 1, at + length).map((each) => each.word)
    const phrase = [lemma ?? word, ...rest].join('_')
    const deeds = rest.length === length - 1 ? phrases.get(phrase) : undefined
    if (deeds) return { deeds }
  }
  if (lemma === undefined) return undefined
  const particle = words.slice(at + 2, at + reach).find((each) => particles.has(each.word))?.word
  const apart = particle === undefined ? undefined : phrases.get(`${lemma}_${particle}`)
  if (apart) return { deeds: apart }
  // `Emails about it` are things, `a tool that emails` does it.
  if (word !== lemma && word.endsWith('s') && !thirds.has(words[at - 1]?.word ?? '')) return undefined
  if (isNoun) return undefined
  const deeds = phrases.get(lemma)
  return deeds && { deeds }
}

const hasObject = (objects: ReadonlySet<string>, words: readonly Word[], at: number): boolean => {
  for (let i = at + 1; i < Math.min(words.length, at + reach); i++) {
    const { word } = words[i]!
    if (mark.test(word)) return false
    if (objects.has('*') || objects.has(word) || objects.has(`${word}_${words[i + 1]?.word}`)) return true
  }
  return false
}

interface AskedVerbs {
  /** Deeds of verbs and phrases by their base form. */
  readonly phrases: ReadonlyMap<string, readonly ToolDeed[]>
  /** Base forms by what is written. */
  readonly forms: ReadonlyMap<string, string>
  readonly objects: ReadonlyMap<string, readonly ObjectRow[]>
  readonly nouns: ReadonlySet<string>
}

interface ObjectRow {
  readonly deeds: readonly ToolDeed[]
  readonly objects: ReadonlySet<string>
}

let read: AskedVerbs | undefined
const tables = (): AskedVerbs => (read ??= readAsked())

const readAsked = (): AskedVerbs => {
  const phrases = new Map<string, readonly ToolDeed[]>()
  const forms = new Map<string, string>()
  const objects = new Map<string, ObjectRow[]>()
  const keepForms = (verb: string): void => {
    const [first = verb] = verb.split('_')
    for (const form of formsOf(first)) if (!forms.has(form)) forms.set(form, first)
  }
  for (const { deeds, columns } of readRows(askedVerbs)) {
    for (const verb of columns[0] ?? []) {
      phrases.set(verb, deeds)
      keepForms(verb)
    }
  }
  for (const { deeds, columns } of readRows(askedFor)) {
    for (const verb of columns[0] ?? []) {
      objects.set(verb, [...(objects.get(verb) ?? []), { deeds, objects: new Set(columns[1]) }])
      keepForms(verb)
    }
  }
  return { phrases, forms, objects, nouns: set(verbNouns) }
}
