import type { Language } from './language.js'

/**
 * Why a sign-in did not work, in Chinese: the rooms say it in English, since logs are searched and quoted. Settings and the
 * words of the standards stay as they are. What has no row stays as it was said.
 */
const rows: readonly (readonly [RegExp, string])[] = [
  [
    /^The identity provider '(.+?)' does not take our secret\. Check auth\.people\.clientSecret and auth\.people\.clientId\.$/,
    '身份提供方“$1”不接受我们的密钥。请检查 auth.people.clientSecret 和 auth.people.clientId。',
  ],
  [
    /^The identity provider '(.+?)' did not let this person in \(access_denied\)\.$/,
    '身份提供方“$1”没有让此人登录（access_denied）。',
  ],
  [
    /^The sign-in was too slow or was finished before \(invalid_grant\)\. Begin again\.$/,
    '登录过慢，或此前已经完成（invalid_grant）。请重新开始。',
  ],
  [
    /^The identity provider '(.+?)' does not know one of auth\.people\.scopes \(invalid_scope\)\.$/,
    '身份提供方“$1”不认识 auth.people.scopes 中的某一项（invalid_scope）。',
  ],
  [/^The identity provider '(.+?)' refused the sign-in \((.+?)\)\.$/, '身份提供方“$1”拒绝了登录（$2）。'],
  [
    /^The clocks differ: what the identity provider '(.+?)' says is not good at this time of ours\. Set the clock of this machine, or of the provider\.$/,
    '时钟不一致：按本机时间，身份提供方“$1”所说的内容无效。请校准本机或提供方的时钟。',
  ],
  [
    /^The clocks differ: the ID token is from (\d+) minutes ahead of this machine\. Set the clock of this machine, or of the identity provider\.$/,
    '时钟不一致：ID token 的时间比本机早了 $1 分钟。请校准本机或身份提供方的时钟。',
  ],
  [
    /^'(.+?)' calls itself by another name than auth\.people\.issuer\. Write it there letter by letter as its own document does \(issuer\)\.$/,
    '“$1”自称的名字与 auth.people.issuer 不同。请逐字写成它自己文档中的 issuer。',
  ],
  [
    /^What the identity provider '(.+?)' says was not made for this sign-in(.*?)\. Begin again\.$/,
    '身份提供方“$1”所说的内容不属于此次登录$2。请重新开始。',
  ],
  [
    /^The identity provider '(.+?)' answered with something that cannot be taken\. Begin again\.$/,
    '身份提供方“$1”的应答无法接受。请重新开始。',
  ],
  [
    /^The identity provider '(.+?)' cannot be asked: (.+)\. Try again in a moment; if it stays so, check auth\.people\.issuer\.$/s,
    '无法询问身份提供方“$1”：$2。请稍后重试；若一直如此，请检查 auth.people.issuer。',
  ],
  [
    /^'(.+?)' names no place to sign in\. Check auth\.people\.issuer\.$/,
    '“$1”没有给出登录地址。请检查 auth.people.issuer。',
  ],
  [
    /^The ID token was made for another client \(azp\)\. Check auth\.people\.clientId\.$/,
    'ID token 是给另一个客户端的（azp）。请检查 auth.people.clientId。',
  ],
  [
    /^The identity provider takes no client secrets \((.+?)\)\. Allow (.+?) or (.+?) there\.$/,
    '身份提供方不接受客户端密钥（$1）。请在那里允许 $2 或 $3。',
  ],
  [
    /^The issuer says nothing of groups: the claim '(.+?)' is missing\. Add it to the tokens of this client there, or name the right claim in (\S+)\.$/,
    '签发者没有给出用户组：缺少声明“$1”。请在那里把它加入此客户端的令牌，或在 $2 中写明正确的声明。',
  ],
  [
    /^This person is in more groups than the issuer puts into a token \(_claim_names\)\. Use app roles instead: assign them to the application, and set (\S+) to "roles"\.$/,
    '此人所在的组超出了签发者写入令牌的数量（_claim_names）。请改用应用角色：分配给应用，并把 $1 设为 "roles"。',
  ],
  [
    /^The claim '(.+?)' is no list of names\. Name another claim in (\S+)\.$/,
    '声明“$1”不是名称列表。请在 $2 中写明另一个声明。',
  ],
  [
    /^The claim '(.+?)' names (\d+) groups; at most (\d+) are taken\. Let the issuer name only those that matter here\.$/,
    '声明“$1”给出了 $2 个组，最多接受 $3 个。请让签发者只给出与此处有关的组。',
  ],
  [
    /^What the issuer says of this person has no subject \(sub\) that could be taken\.$/,
    '签发者关于此人的内容没有可用的主体（sub）。',
  ],
  [
    /^This sign-in was not begun in this browser\. Open the console and sign in\.$/,
    '此次登录不是在本浏览器中发起的。请打开控制台登录。',
  ],
  [/^This sign-in took longer than ten minutes\. Begin again\.$/, '此次登录超过了十分钟。请重新开始。'],
  [/it does not answer as an identity provider does/, '它的应答不像身份提供方'],
  [/it does not answer/, '它没有应答'],
  [/it answers with (\d+)/, '它的应答是 $1'],
]

/** Why a sign-in did not work, for whoever reads this language. */
export const signInReason = (language: Language, message: string): string =>
  language === 'zh-Hans' ? rows.reduce((text, [pattern, zh]) => text.replace(pattern, zh), message) : message
