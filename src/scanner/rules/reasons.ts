/** Reasons of what is found in characters, names and codes. */
export const reasons: Readonly<Record<string, { readonly en: string; readonly zh: string }>> = {
  'unicode.tags': {
    en: 'Invisible tag characters spell out a text that only models read.',
    zh: '不可见的标签字符拼出只有模型能读到的文字。',
  },
  'unicode.bidi-override': {
    en: 'A character turns the direction of writing, so that people read something else.',
    zh: '有字符强行改变书写方向，人看到的内容与实际不同。',
  },
  'unicode.bidi': {
    en: 'Characters that steer the direction of writing, in a text that needs none.',
    zh: '文本不需要却含有控制书写方向的字符。',
  },
  'unicode.bidi-mark': {
    en: 'A mark of the direction of writing, in a text that needs none.',
    zh: '文本不需要却含有方向标记。',
  },
  'unicode.zero-width': { en: 'Characters without width, which nobody sees.', zh: '含有看不见的零宽字符。' },
  'unicode.soft-hyphen': { en: 'Soft hyphens, which nobody sees.', zh: '含有看不见的软连字符。' },
  'unicode.variation': {
    en: 'Variation selectors where nothing varies: they can carry hidden bytes.',
    zh: '无意义的变体选择符，可能藏有数据。',
  },
  'unicode.private': {
    en: 'Characters of private use, which mean what their writer says.',
    zh: '含有私用区字符，含义由写的人决定。',
  },
  'unicode.control': {
    en: 'Control characters, which do not belong into words.',
    zh: '含有不该出现在文字中的控制字符。',
  },
  'unicode.escape': {
    en: 'Terminal escape sequences, which can hide or change what people see.',
    zh: '含有终端转义序列，可隐藏或改变人看到的内容。',
  },
  'unicode.broken': { en: 'Half a character: the text is no valid Unicode.', zh: '含有半个字符，不是有效的 Unicode。' },
  'unicode.homoglyph': {
    en: 'A word mixes letters of scripts that look alike.',
    zh: '同一个词混用了外形相似的不同文字的字母。',
  },
  'hidden.padding': {
    en: 'Text stands far below or aside of the rest, where nobody looks.',
    zh: '有文字被大量空白推到看不到的地方。',
  },
  'encoded.instruction': {
    en: 'It is written in a code, and what comes out is worth a look itself.',
    zh: '它被编码过，解码后的内容本身就可疑。',
  },
  'encoded.text': { en: 'A text is written in a code that people do not read.', zh: '有文字以人读不懂的编码写成。' },
  'name.look-alike': {
    en: 'Its name looks like that of a tool of another source, and is not.',
    zh: '它的名称看起来与其他来源的工具一样，其实不同。',
  },
  'name.similar': {
    en: 'Its name differs from that of another source’s tool only in case or separators.',
    zh: '它的名称与其他来源的工具只差大小写或分隔符。',
  },
  'name.same': { en: 'A tool of another source has the same name.', zh: '其他来源有同名工具。' },
  'name.own-tool': { en: 'It is named like a tool of the board itself.', zh: '它与本网关自带的工具同名。' },
  'bounds.unread': {
    en: 'It is too long or too deep to be read whole; nobody looked at the rest.',
    zh: '内容过长或过深，没有读完，其余部分未经检查。',
  },
}
