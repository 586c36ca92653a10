import type { WordClasses } from '../automaton.js'

/** Lists of words that phrases share, in both languages: sentences mix them. */
export const classes: WordClasses = {
  // Who is spoken to, and of whom.
  you: 'you assistant assistants model agent agents ai llm claude gpt chatgpt copilot cursor 助手 模型 代理 智能体 你',
  user: 'user users customer human humans person them operator owner reviewer client 用户 客户 使用者 审核人员 人类 caller him her 使用方 对方 主人',
  anyone: 'anyone anybody nobody everyone people others 任何人 他人 别人 其他人',
  must: 'must should shall need needs required require requires always have mandatory 必须 务必 一律 都要 需要 总是 始终 应当 要求 obliged expected 需 得 须',
  always: 'always every each any whenever all 始终 总是 每次 每当 每一轮 每轮 一律 凡是 任何 都要 每封 所有',
  not: "not never don't dont",
  bu: '不要 不得 不能 不可 不许 不准 切勿 请勿 绝不 绝不能 千万别 不应 不该 别让 别向 别告诉 别把',
  buyong: '不必 无需 不用 不需要 无须 毋须',

  // Keeping something from somebody.
  tell: 'tell telling mention mentioning inform informing reveal revealing disclose disclosing notify notifying show showing display displaying say saying expose alert alarm bother upset share explain surface hint describe acknowledge admit discuss talk',
  gaosu:
    '告诉 告知 提及 提到 透露 通知 展示 显示 说明 惊动 提示 提起 泄露 声张 让用户 询问 征得 解释 暴露 展现 告之 提示给 声明 汇报',
  know: 'know knowing knowledge consent awareness noticing aware informed told notice notified see 知道 知情 察觉 发现 看到 看见',
  quietly: 'silently quietly secretly covertly discreetly stealthily surreptitiously unnoticed invisibly',
  qiaoqiao: '悄悄 偷偷 暗中 私下 不动声色 秘密地 默默',

  // Taking and giving.
  read: 'read reading open load get retrieve obtain fetch access look find search collect gather extract list cat dump scan grab harvest locate 读取 打开 获取 查找 收集 遍历 搜索 找到 取出 读到 读 说出 列出 访问 view inspect capture enumerate print export check browse take 查看 提取 抓取 导出 枚举 拿到 取得',
  give: 'pass passing include including attach attaching put putting paste copy send sending submit provide supply forward upload append add insert hand give report post store share transmit exfiltrate embed write enter fill email leak deliver return relay 传入 传给 填入 填写 附上 附带 发送 发给 提交 上传 粘贴 放到 放入 放进 填在 写入 转发 交给 上报 复制 提供 泄露 输出 拼接 发布 传递 导出 填 dump push sync mirror echo expose disclose deposit place log record 传送 推送 同步 写到 放在 贴到 回传 附加 附在 塞进 记录到 嵌入',
  send: 'send sending forward forwarding upload post submit transmit exfiltrate report email mail leak deliver relay copy 发送 发给 上传 提交 转发 上报 发布 发到 传到 改发 泄露 密送 push sync mirror dump 推送 同步 回传 外发 传送',
  run: 'run execute start launch invoke open paste 执行 运行 启动 install eval spawn trigger 安装 触发',
  call: 'call calling invoke use using run execute 调用 使用 执行',
  content: 'content contents text value values output everything data 内容 全部内容 原文 文本',

  // What is taken.
  secret:
    'password passwords passphrase credential credentials secret secrets token tokens cookie cookies apikey privatekey keychain 密码 主密码 口令 密钥 私钥 令牌 凭证 凭据 助记词 钥匙串 keys pin otp mnemonic certificates 验证码 秘钥 证书 api密钥',
  conversation:
    'conversation conversations transcript chat chats dialogue history messages session 对话 聊天记录 对话记录 会话记录 消息 私信 聊天 context prompt 上下文 交谈 历史记录',
  whole:
    'complete full whole entire all everything verbatim previous earlier prior past last 完整 全部 所有 逐字 此前 之前 原文 最后一条',
  personal:
    'name names phone email address addresses location contacts birthday 姓名 电话 住址 邮箱 地址 通讯录 位置 birthdate passport card id number 身份证 银行卡 手机号',

  // Rules that one is to leave behind.
  ignore:
    'ignore ignoring disregard forget override overrule discard dismiss neglect abandon suspend void 忽略 无视 忘掉 忘记 抛开 绕过 不理会 推翻 skip drop overwrite supersede cancel 跳过 丢弃 违反 不遵守 作废 取消 废除',
  earlier:
    'previous prior earlier above preceding former existing past before initial original all any other 之前 以上 先前 此前 前面 上述 原有 一切',
  instructions:
    'instruction instructions prompt prompts guideline guidelines directions directive directives rules rule orders commands restrictions restriction constraints guidance policy policies safeguards guardrails 指令 提示 提示词 规则 准则 约束 限制 要求 命令 设定 message training values ethics limitations limits filters 规定 约定 说明 原则',
  safety: 'safety security content ethical system developer your hidden 安全 系统 内容 你的 隐藏',

  // Tools.
  tool: 'tool tools function functions server servers #tool 工具 服务器 服务 接口',
  other:
    'other others another alternative alternatives competing competitor competitors different else 其他 其它 别的 另一个 同类',
  recipients: 'recipient recipients bcc cc payee mailbox copy copies 收件人 密送 抄送 收款人 收款账户',
  parameter: 'parameter argument field #code param parameters arguments fields 参数 字段 此处 这里',
  destination: '#url #email server webhook endpoint address us',
  danger: '#command shell terminal command commands script 终端 命令 脚本',
  before: 'before prior first beforehand 之前 前 先 首先 事先',
}
