import type { ExplainAnswer, RuleRow } from './admin/rules.js'

/** A sentence in both languages; the console and the command line read it here. */
export type RuleWords = readonly [en: string, zh: string]

type RuleNote = RuleRow['notes'][number]

/** What makes a rule do something else than it seems to. */
export const ruleNoteWords = ({ code, about, part }: RuleNote): RuleWords => {
  switch (code) {
    case 'no-tool':
      return [`no tool has a name like '${about}'`, `没有名称符合“${about}”的工具`]
    case 'no-class':
      return [`none of its tools is ${about}`, `其中没有 ${about} 类的工具`]
    case 'no-property':
      return [
        `its '${part}' names '${about}', which none of its tools takes`,
        `“${part}”提到的“${about}”不是其中任何工具的参数`,
      ]
    case 'not-required':
      return [
        `its 'unless' names '${about}' without requiring it: a call that leaves it out is excepted. Add it to 'required'`,
        `“unless”提到“${about}”却没有写入 required：不带该参数的调用也算例外。请加入 required`,
      ]
  }
}

/** What becomes of a call. */
export const verdictWords: Readonly<Record<ExplainAnswer['verdict'], RuleWords>> = {
  allow: ['no rule stands against it', '没有规则反对'],
  ask: ['somebody has to approve it', '需要有人批准'],
  deny: ['denied', '拒绝'],
  hidden: ['denied and not shown', '拒绝且不显示'],
}
