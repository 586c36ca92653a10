import type { Language } from '../../http/language.js'
import type { Identity } from '../../model/caller.js'
import type { AskedAccess } from './asked.js'
import { html, type Markup, type PageContent } from './page.js'

export interface ConsentFacts {
  readonly language: Language
  readonly asked: AskedAccess
  /** Our own host, as people know it. */
  readonly host: string
  /** What the form sends back, sealed. */
  readonly round: string
  /** Who they are is asked by key, on this very page. */
  readonly asksKey: boolean
  /** Why they see it again. */
  readonly problem?: string | undefined
}

/** Who asks, where one is taken back to, and for what; shown every time, before anybody signs in anywhere. */
export const consentPage = ({ language, asked, host, round, asksKey, problem }: ConsentFacts): PageContent => {
  const { client, redirect, endpoint, scope } = asked
  const say = texts[language]
  const back = say.back[redirect.kind](redirect.kind === 'program' ? redirect.url.protocol : redirect.url.host)
  const warnings = [
    client.home === undefined ? say.unvouched : undefined,
    redirect.kind === 'loopback' ? say.local : undefined,
  ]
  const body = html`${problem === undefined ? html`` : html`<p class="warning" role="alert">${problem}</p>`}<dl><dt>${say.client}</dt><dd>${client.name}</dd><dt>${say.home}</dt><dd>${client.home ?? say.nobody}</dd><dt>${say.takenTo}</dt><dd>${back}</dd><dt>${say.profile}</dt><dd>${endpoint.profile ?? say.plain}</dd><dt>${say.may}</dt><dd>${mayDo(say.scopes, scope)}</dd></dl>${warnings.flatMap((each) => (each === undefined ? [] : [html`<p class="warning">${each}</p>`]))}<form method="post" action="authorize"><input type="hidden" name="round" value="${round}">${asksKey ? keyField(say.key) : html``}<button name="answer" value="allow">${asksKey ? say.signIn : say.goOn}</button><button name="answer" value="deny" formnovalidate>${say.cancel}</button></form><p class="small">${say.unasked}</p>`
  return { language, title: say.title(client.name, host), body }
}

const keyField = (label: string): Markup =>
  html`<label for="key">${label}</label><input id="key" name="key" type="password" autocomplete="off" required autofocus maxlength="256">`

const mayDo = (words: Readonly<Record<string, string>>, scope: string): string =>
  scope
    .split(' ')
    .flatMap((each) => words[each] ?? [])
    .join('; ')

const texts = {
  'en-US': {
    title: (client: string, host: string) => `“${client}” wants to use your tools at ${host}`,
    client: 'It calls itself',
    home: 'Vouched for by',
    nobody: 'nobody vouches for this name',
    takenTo: 'You are taken back to',
    back: {
      site: (host: string) => host,
      loopback: (host: string) => `${host} (a program on this computer)`,
      program: (scheme: string) => `the program that opens ${scheme} links on this computer`,
    },
    profile: 'Profile',
    plain: 'the one you are given by default',
    may: 'It may, in your name',
    scopes: {
      'mcp:read': 'see tools and call those that only read',
      'mcp:call': 'see and call tools',
      'mcp:register': 'see and call tools, and register new ones',
      'board:view': 'look at how this server is run',
      'board:operate': 'run this server: restart sources, approve changes',
      'board:admin': 'administer this server, with keys, people and settings',
      openid: 'learn who you are',
      email: 'learn your address',
    },
    unvouched:
      'Any program can take any name. Go on only if you have just begun this yourself in a program that you trust.',
    local:
      'What comes back goes to whichever program listens on this computer. Go on only if you have just started it yourself.',
    key: 'Your Pegboard key',
    signIn: 'Sign in and allow',
    goOn: 'Allow and sign in',
    cancel: 'Cancel',
    unasked: 'If you did not begin this, close the window. Nothing has happened yet.',
  },
  'zh-Hans': {
    title: (client: string, host: string) => `“${client}” 请求使用你在 ${host} 的工具`,
    client: '它自称',
    home: '由谁担保',
    nobody: '没有人为这个名字担保',
    takenTo: '之后将返回到',
    back: {
      site: (host: string) => host,
      loopback: (host: string) => `${host}（本机上的程序）`,
      program: (scheme: string) => `本机上打开 ${scheme} 链接的程序`,
    },
    profile: '配置档',
    plain: '默认分配给你的配置档',
    may: '它可以以你的名义',
    scopes: {
      'mcp:read': '查看工具，并调用只读工具',
      'mcp:call': '查看并调用工具',
      'mcp:register': '查看并调用工具，并注册新工具',
      'board:view': '查看此服务器的运行情况',
      'board:operate': '操作此服务器：重启源、批准变更',
      'board:admin': '管理此服务器，包括密钥、人员和设置',
      openid: '得知你是谁',
      email: '得知你的邮箱地址',
    },
    unvouched: '任何程序都可以取任何名字。只有当你刚刚在可信的程序中亲自发起时才继续。',
    local: '结果会交给本机上正在监听的程序。只有当你刚刚亲自启动它时才继续。',
    key: '你的 Pegboard 密钥',
    signIn: '登录并允许',
    goOn: '允许并登录',
    cancel: '取消',
    unasked: '如果不是你发起的，请关闭此窗口。尚未发生任何事情。',
  },
} as const

export interface RefusedFacts {
  readonly language: Language
  /** What went wrong, in this language where there are words for it. */
  readonly why: RefusedReason
  /** More about it, for whoever can mend it. */
  readonly detail?: string | undefined
  /** Back to the client, which is told that it did not work. */
  readonly back?: { readonly address: string; readonly client: string } | undefined
}

export type RefusedReason = keyof (typeof reasons)['en-US']

/** An end that stays on our own page. */
export const refusedPage = ({ language, why, detail, back }: RefusedFacts): PageContent => {
  const say = reasons[language]
  const body = html`<p>${say[why]}</p>${detail === undefined ? html`` : html`<p>${detail}</p>`}${back === undefined ? html`` : html`<p><a class="button" href="${back.address}" rel="noreferrer">${backTo[language](back.client)}</a></p>`}`
  return { language, title: titles[language], body }
}

const titles: Readonly<Record<Language, string>> = { 'en-US': 'The sign-in did not work.', 'zh-Hans': '登录没有成功。' }

const backTo: Readonly<Record<Language, (client: string) => string>> = {
  'en-US': (client) => `Back to “${client}”`,
  'zh-Hans': (client) => `返回 “${client}”`,
}

const reasons = {
  'en-US': {
    request: 'The program that sent you here asked for something that cannot be given. Nobody was signed in.',
    stale: 'This sign-in is over or was begun in another browser. Begin again in the program that you came from.',
    foreign: 'This form did not come from our own page in this browser. Begin again in the program that you came from.',
    changed: 'The program has changed where it wants you to be taken. Begin again in it.',
    provider: 'Your identity provider did not sign you in.',
    away: 'Your identity provider cannot be reached. Try again in a moment.',
    notGranted: 'You are signed in, but nobody has given you access here. Ask who runs this server.',
    noProfile:
      'You are signed in, but this profile is not one of yours. Ask who runs this server, or use another address.',
    busy: 'Too many sign-ins are being begun. Try again in a moment.',
    wrongKeys: 'Too many wrong keys came from this address. Wait a little, then begin again.',
  },
  'zh-Hans': {
    request: '把你带到这里的程序提出了无法满足的请求。没有人登录。',
    stale: '此次登录已失效，或是在另一个浏览器中发起的。请在原来的程序中重新开始。',
    foreign: '此表单并非来自本浏览器中我们自己的页面。请在原来的程序中重新开始。',
    changed: '该程序更改了你要返回的地址。请在该程序中重新开始。',
    provider: '你的身份提供方没有让你登录。',
    away: '无法联系到你的身份提供方。请稍后重试。',
    notGranted: '你已登录，但没有人授予你此处的访问权限。请联系管理员。',
    noProfile: '你已登录，但此配置档不属于你。请联系管理员，或使用其他地址。',
    busy: '发起的登录过多。请稍后重试。',
    wrongKeys: '来自此地址的错误密钥过多。请稍候再重新开始。',
  },
} as const

const mostGroupsShown = 20

/** As whom somebody came, to be handed on to who decides which groups count. */
export const signedInAs = (language: Language, { name, email, subject, groups = [] }: Identity): string => {
  const who = email ?? name ?? subject
  const some = groups.slice(0, mostGroupsShown)
  const more = groups.length > some.length ? ' …' : ''
  if (language === 'zh-Hans')
    return `登录身份：${who}；用户组：${some.length === 0 ? '无' : `${some.join('、')}${more}`}（auth.grants）。`
  return `Signed in as ${who}, in ${some.length === 0 ? 'no groups' : `the groups ${some.join(', ')}${more}`} (auth.grants).`
}

/** A key that was not taken, told above the form. */
export const wrongKeyText: Readonly<Record<Language, string>> = {
  'en-US': 'This key opens nothing here. Check it for missing characters.',
  'zh-Hans': '此密钥无法使用。请检查是否缺少字符。',
}
