// Likeness counts twice: a word, or a character of Chinese, is soon shared by chance; what is unlike besides was hardly meant.
const likenessVoice = 2
// Set on questions that no tool of test/search-quality/natural answers, and on the half of its questions that was for tuning then: it is the
// one only counted now, so of the two the other is the untouched one here (weak.test.ts holds both). It labels, and moves no place.
const leastTrusted = 0.19
const leastByWords = 0.15

/** Whether a match is too weak to trust. Without a likeness the words speak alone, and a little less is asked of them. */
export const isWeak = (score: number, likeness?: number): boolean =>
  likeness === undefined
    ? score < leastByWords
    : (score + likenessVoice * likeness) / (1 + likenessVoice) < leastTrusted

/** The same as a result says it. */
export const matchOf = (score: number, likeness?: number): 'weak' | undefined =>
  isWeak(score, likeness) ? 'weak' : undefined
