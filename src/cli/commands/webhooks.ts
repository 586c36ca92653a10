import { systemClock } from '../../model/clock.js'
import { tryWebhook, type WebhookTrial } from '../../serving/events/try-webhook.js'
import type { SentMessage, Webhook, WebhookRow } from '../../serving/events/webhooks.js'
import { say } from '../../serving/locale.js'
import { type CommonFlags, lookAtConfig, readConfig } from '../../serving/read-config.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { askRunning } from './ask-running.js'

/** `pegboard webhooks`: where events are told, and what became of the last messages. */
export const listWebhooks = async (flags: CommonFlags): Promise<void> => {
  const running = await askRunning(flags, 'webhooks', {})
  const rows = running ?? (await lookAtConfig(flags)).config.webhooks.map(rowOf)
  print(flags, { running: running !== undefined, webhooks: rows }, [
    ...(rows.length === 0
      ? [say('No webhooks. How to add one: docs/webhooks.md', '没有 webhook。添加方法：docs/webhooks.md')]
      : [listed(rows)]),
    ...(running || rows.length === 0
      ? []
      : [
          painted(
            'dim',
            say(
              'No gateway runs with this configuration; nothing was sent.',
              '没有使用此配置的网关在运行，尚未发送任何消息。',
            ),
          ),
        ]),
    ...rows.flatMap((row, index) =>
      row.last.length === 0 ? [] : ['', `${index + 1}. ${row.host}`, messages(row.last)],
    ),
  ])
}

const rowOf = ({ url, events, language }: Webhook): WebhookRow => ({
  ...{ host: new URL(url).host, events: events ?? 'all', language },
  ...{ sent: 0, failed: 0, dropped: 0, last: [] },
})

const listed = (rows: readonly WebhookRow[]): string =>
  table(
    ['#', say('HOST', '主机'), say('EVENTS', '事件'), say('SENT', '已送达'), say('GIVEN UP', '已放弃')],
    rows.map(({ host, events, sent, failed, dropped }, index) => [
      String(index + 1),
      host,
      events === 'all' ? say('all', '全部') : events.join(', '),
      String(sent),
      String(failed + dropped),
    ]),
  )

const messages = (last: readonly SentMessage[]): string =>
  table(
    [say('WHEN', '时间'), say('EVENT', '事件'), say('ABOUT', '对象'), say('OUTCOME', '结果'), say('WHY', '原因')],
    [...last]
      .reverse()
      .map(({ at, type, subject, outcome, tries, why }) => [
        new Date(at).toISOString(),
        type,
        oneLine(subject),
        `${outcomeHere(outcome)}${tries > 1 ? ` (${tries})` : ''}`,
        oneLine(why ?? ''),
      ]),
  )

const outcomeHere = (outcome: SentMessage['outcome']): string => {
  const told: Readonly<Record<SentMessage['outcome'], string>> = {
    sent: say('sent', '已送达'),
    waiting: say('waiting', '等待中'),
    failed: say('given up', '已放弃'),
    dropped: say('no room', '队列已满'),
  }
  return told[outcome]
}

/** `pegboard webhooks test [WHICH]`: one signed message to each, and what the other end said. */
export const testWebhooks = async (which: string | undefined, flags: CommonFlags): Promise<void> => {
  const { config } = await readConfig(flags)
  const chosen = which === undefined ? config.webhooks : [found(which, config.webhooks)]
  if (chosen.length === 0)
    throw new CommandFailed(
      say('No webhooks. How to add one: docs/webhooks.md', '没有 webhook。添加方法：docs/webhooks.md'),
      exitCodes.notFound,
    )
  const trials = await Promise.all(chosen.map((each) => tryWebhook(each, systemClock)))
  print(flags, trials, trials.map(trialLine))
  const failed = trials.filter(({ ok }) => !ok).length
  if (failed > 0)
    throw new CommandFailed(
      say(
        `${failed} of ${trials.length} did not take the message.`,
        `${trials.length} 个中有 ${failed} 个没有接收消息。`,
      ),
      exitCodes.unreachable,
    )
}

const found = (which: string, webhooks: readonly Webhook[]): Webhook => {
  const at = /^\d+$/.test(which) ? webhooks[Number(which) - 1] : undefined
  const one = at ?? webhooks.find(({ url }) => url === which || new URL(url).host === which)
  if (one) return one
  const known = webhooks.map(({ url }, index) => `${index + 1} ${new URL(url).host}`).join(', ')
  throw new CommandFailed(
    say(
      `There is no such webhook. Those of the configuration: ${known || 'none'}`,
      `没有这个 webhook。配置中有：${known || '无'}`,
    ),
    exitCodes.notFound,
  )
}

const trialLine = ({ host, ok, status, why, tookMs }: WebhookTrial): string =>
  ok
    ? say(`${host} took it: ${status}, ${tookMs} ms`, `${host} 已接收：${status}，${tookMs} 毫秒`)
    : say(`${host} did not take it: ${oneLine(why ?? '')}`, `${host} 没有接收：${oneLine(why ?? '')}`)
