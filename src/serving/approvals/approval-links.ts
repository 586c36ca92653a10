import { messageOf } from '../../errors.js'
import type { ApprovalLinkDesk } from '../../faces/admin/approval-link.js'
import { sendPage } from '../../faces/admin/plain-page.js'
import { isHttpError } from '../../http/http-error.js'
import type { HttpExchange, Route } from '../../http/route.js'
import { createBrowserDoor } from '../../http/same-origin.js'
import type { CallDesk } from '../../operations/call-approvals.js'
import { actorOf, type Note } from '../../telemetry/deed.js'
import type { Logger } from '../../telemetry/logger.js'
import type { Access } from '../access.js'
import type { Board } from '../board.js'
import type { OpenedConsole } from '../console.js'
import { linkPath } from './approvers.js'
import { lateCallDesk, linkApprover } from './call-approvals.js'

export interface LinkSurroundings {
  readonly access: Pick<Access, 'keys' | 'peers' | 'wrongKeys'>
  /** Who a browser is. */
  readonly browsers: Pick<OpenedConsole, 'sessions' | 'desk'>
  /** Takes known secrets out of what is shown. */
  readonly clean: (text: string) => string
  readonly note: Note
  readonly logger: Logger
  /** Where browsers reach us. */
  readonly base: () => string
}

/** Where calls are answered over HTTP: the desk for whoever has shown who they are, and the pages behind links. */
export const openApprovalLinks = (
  { approvers, current }: Pick<Board, 'approvers' | 'current'>,
  { access, browsers, clean, note, logger, base }: LinkSurroundings,
): { readonly callDesk: CallDesk; readonly routes: readonly Route[] } => {
  const { approvals } = approvers
  const { keys, peers, wrongKeys } = access
  const callDesk = lateCallDesk({
    ...{ approvals, clean },
    nameOf: async (id) => (await keys.list()).find((key) => id === `key:${key.id}`)?.name,
  })
  approvers.listenAt({ base, desk: callDesk })
  const settings = current.reading(['approvals.webhook'], (now) => now.approvals.webhook)
  const publicUrl = current.reading(['server.publicUrl'], ({ server }) => server.publicUrl)
  const door = createBrowserDoor({ publicUrl, peers })
  const desk: ApprovalLinkDesk = {
    // Where nobody is told any more, what they were told ends as well.
    look: async (token) => {
      const found = settings() && (await approvals.linked(token))
      return found && callDesk.find(found.id, linkHolder)
    },
    needsKey: () => settings()?.requireKey !== false,
    visitor: async ({ request }) => {
      const visitor = await browsers.sessions.visitorOf(request)
      return visitor?.rights.includes('approve') ? visitor : undefined
    },
    signInAt: (token) => {
      const url = browsers.desk.provider()?.url
      return url && `${url}?next=approve&t=${token}`
    },
    wrongLink: ({ request }) => wrongKeys.count(peers.addressOf(request)),
    holderOf: async ({ request }, key) => {
      const check = await keys.verifyFresh(key)
      if (!check.ok) return wrongKeys.count(peers.addressOf(request)) === 0 ? 'wrong' : 'tooMany'
      if (check.caller.rights.includes('approve')) return check.caller
      note({
        ...{ kind: 'refusal', action: 'approve', outcome: 'refused', code: 'ACCESS_DENIED' },
        ...{ actor: actorOf(check.caller, 'webhook'), on: { type: 'route', id: `${linkPath}/:token` } },
      })
      return 'mayNot'
    },
    isOwnForm: ({ request }) => door.isOwnForm(request),
    answer: async (link, { id }, answer, by) => {
      const who = by ? (await import('./call-desk.js')).approverOf(by) : { id: linkApprover }
      await approvals.answer(id, { ...answer, by: who, link })
    },
  }
  const page = { path: `${linkPath}/:token`, right: 'open', page: true, ownHeaders: true } as const
  /** The page is loaded when the first link is opened. What fails is logged without the address, which holds the link. */
  const by =
    (work: 'showApprovalLink' | 'answerApprovalLink') =>
    async (exchange: HttpExchange): Promise<void> => {
      try {
        await (await import('../../faces/admin/approval-link.js'))[work](desk, exchange)
      } catch (error) {
        if (isHttpError(error)) throw error
        const { requestId } = exchange
        logger.log('error', `The page of a link failed: ${messageOf(error)}`, { requestId })
        if (!exchange.response.headersSent) sendPage(exchange, 500, failed, requestId)
      }
    }
  return {
    callDesk,
    routes: [
      { ...page, method: 'GET', handle: by('showApprovalLink') },
      { ...page, method: 'POST', handle: by('answerApprovalLink') },
    ],
  }
}

/** Sees what it is about, and is nobody. */
const linkHolder = { id: linkApprover, rights: ['approve'] } as const

const failed = { 'en-US': 'Something went wrong on our side.', 'zh-Hans': '网关出现问题。' } as const
