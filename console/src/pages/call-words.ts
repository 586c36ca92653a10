/** The texts of calls that wait for a yes. */
export const callWords = {
  callsWaiting: ['Calls', '调用'],
  callsLead: [
    'A rule asks about these. A yes is for exactly what is shown here, and the caller sends the call again.',
    '规则要求批准这些调用。批准只对此处显示的内容有效，调用方需再次发送。',
  ],
  askedBy: ['{who} asks; rule {rule}.', '{who} 申请；规则 {rule}。'],
  approveOnce: ['Once', '批准一次'],
  forMinutes: ['For 10 minutes', '10 分钟内有效'],
  deny: ['Deny', '拒绝'],
  denyNote: ['Why not? The caller is told.', '拒绝的原因（会告知调用方）'],
  denyNow: ['Deny this call', '拒绝这次调用'],
  ofOneScript: ['{n} calls of one script, {run}', '同一脚本的 {n} 次调用，{run}'],
  togetherLead: [
    'Answer them together, or one by one below. Each yes is for exactly one call.',
    '可一并答复，也可在下方逐个答复。每次批准只对一次调用有效。',
  ],
  approveAll: ['Approve all {n}', '全部批准（{n}）'],
  denyAll: ['Deny all', '全部拒绝'],
  denyAllNow: ['Deny these {n} calls', '拒绝这 {n} 次调用'],
  argumentsOf: ['Arguments', '参数'],
  argumentsAway: ['The arguments can be seen by those who may answer.', '只有可以答复的人能看到参数。'],
  argumentsCut: ['Only the beginning of {n} bytes is shown.', '共 {n} 字节，只显示开头。'],
  sinceLast: ['What differs from the last call that was approved', '与上次批准的调用相比'],
  charactersMore: ['… {n} more characters', '… 还有 {n} 个字符'],
} as const
