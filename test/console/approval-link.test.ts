import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ApprovalBoard,
  openApprovalBoard,
  type Receiver,
  secret,
  startReceiver,
} from '../helpers/approval-board.js'
import { browserPath, openBrowser } from './browser.js'

describe.skipIf(browserPath === undefined)('the page behind a link of a message', { timeout: 90_000 }, () => {
  let browser: Browser
  let receiver: Receiver
  let gateway: ApprovalBoard
  beforeAll(async () => {
    ;[browser, receiver] = await Promise.all([openBrowser(), startReceiver()])
    gateway = await openApprovalBoard({ url: receiver.url, secret, requireKey: true })
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await gateway?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  const opened = async (amount: number): Promise<{ readonly page: Page; readonly said: readonly string[] }> => {
    await gateway.refund({ amount, to: 'ann\u202e' })
    const page = await browser.newPage({ locale: 'en-US' })
    const said: string[] = []
    page.on('console', (message) => void said.push(message.text()))
    await page.goto((await receiver.nth(amount)).message.url)
    await page.getByRole('heading', { name: 'May this call be made?' }).waitFor()
    return { page, said }
  }

  it('shows the call, takes an operator\u2019s key and approves it', async () => {
    const { page, said } = await opened(1)
    expect(await page.locator('pre').textContent()).toBe('{"amount":1,"to":"ann\\u202e"}')
    await page.getByLabel('Your Pegboard key').fill(gateway.agent)
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.getByRole('alert').getByText('This key may not approve calls.').waitFor()
    await page.getByLabel('Your Pegboard key').fill(gateway.ops)
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.getByRole('heading', { name: 'Approved, once' }).waitFor()
    expect((await gateway.refund({ amount: 1, to: 'ann\u202e' })).json).toBe('refunded')
    await page.goto(receiver.received[0]!.message.url)
    await page.getByRole('heading', { name: 'This link is not valid any more' }).waitFor()
    // What is refused is told in the console of a browser by its status alone.
    expect(said.filter((line) => !/status of 40[34]/.test(line))).toEqual([])
    await page.close()
  })

  it('says nothing by Enter in a field, and denies by its button', async () => {
    const { page } = await opened(2)
    await page.getByLabel('Your Pegboard key').fill(gateway.ops)
    await page.getByLabel('Your Pegboard key').press('Enter')
    await page.getByLabel('A note').fill('not today')
    await page.getByLabel('A note').press('Enter')
    expect((await gateway.board.gateway.approvals.list()).filter(({ state }) => state === 'asked')).toHaveLength(1)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'Denied' }).waitFor()
    expect((await gateway.refund({ amount: 2, to: 'ann\u202e' })).json.error.details.reason).toBe('not today')
    await page.close()
  })
})
