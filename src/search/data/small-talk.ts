/**
 * Words with which people dress a need up, written by hand: how urgent, how good, how they came to it. A tool may have them too, by
 * chance, and in a small catalog such a chance is as rare as a word of the matter. What they are worth is learned
 * (model/ranking.ts); training also strews them into queries.
 */
export const smallTalk = `
able absolutely accordingly actually additionally almost already although always amazing another anybody anyone anyway anywhere apparently appealing appreciate approximately
assist assistance available aware awesome basically because become believe beneficial besides better beyond bit bother briefly bunch certain certainly comfortable completely comprehensive
concerned confused consider considering convenient cool correctly couple currently decent deeply definitely depending desire despite detail detailed details different difficult directly
easily easy effective effectively efficient efficiently either else elegant ensure entire entirely especially essential etc even eventually ever every everyone exact exactly example excellent
exceptional excited exciting expect experience explore familiar fantastic feel feeling fortunately frequently friendly frustrated frustrating fully fun generally get getting give gladly goal good
grateful great guess guidance handle happen happy hard heard helpful helping honest honestly hopefully however huge idea ideal ideally immediate immediately important impressive improve incredible
indeed individual information informative insight insights instead interested interesting involve keep kind know knowledge lately latest least leave lengthy likely little look looking lot lucky
main mainly major manner matter maybe mean mention mind moment moreover mostly multiple must natural necessary needed never new nice normally nothing notice obviously offer often one opinion
opportunity optimal option options outstanding overall particular particularly perfect perhaps personal personally piece please plenty popular possible possibly potential practical precise prefer preferably
preference previous previously probably problem professional proper properly provide providing quality question quick quickly quite rather ready real realize really reason reasonable recent recently
recommend regarding related relevant reliable remain require required right roughly say see seek seeking seem serious several short show significant significantly similar simple simply since situation
small somebody somehow something sometimes somewhat somewhere soon sort special specific specifically spend spot still straightforward struggling stuck stuff stunning stylish such suggest suggestion suggestions
suitable super support supposed sure surely surprise tailored take talk tell terrible thank therefore thing think thinking though thought throughout tip tips today together tomorrow tonight tough
toward trouble true truly try trying type ugh unable understand unfortunately unique upcoming urgent urgently useful usual usually valuable variety various visit want wanted week weekend well whatever
whenever whether whole wide willing wish without wonder wonderful wondering work worry worth wow year yesterday yet
请问 麻烦 帮忙 帮我 一下 看看 希望 需要 想要 想知道 了解 具体 详细 相关 情况 信息 提供 告诉 能不能 可以 是否 如何 怎么 怎样 什么 多少 哪些 哪个 目前 现在 最近 今天 明天 最好 比较 适合 合适 推荐 建议 有没有
我们 我的 自己 朋友 孩子 老板 公司 家里 正在 打算 准备 计划 考虑 觉得 感觉 有点 非常 特别 一些 一个 这个 那个 之前 之后 然后 另外 同时 以及 并且 还有 如果 因为 所以 谢谢 你好 您好 需求 问题 方法 结果 内容
`
