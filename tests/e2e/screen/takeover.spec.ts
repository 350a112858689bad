import { acknowledgeEvents, listEvents } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { raiseEvents } from '../../kit/raised-events.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { test } from '../on-weak-network.ts'
import { stopTime } from '../page-time.ts'
import { expect } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const takeover = (page: Page) => page.getByRole('alert', { name: '报警接管', exact: true })
const banner = (page: Page) => page.getByRole('alert', { name: '仍未确认', exact: true })

test.beforeEach(async ({ stack }) => {
  const db = await stack.server.database.connect()
  await db.query(`update event set state = 'normal' where state is not null`)
  await db.end()
})

const acknowledged = async ({ client }: Stack) => {
  const { items } = await client.call(listEvents, { body: { Open: true } })
  await client.call(acknowledgeEvents, { body: { EventIDs: items.map(({ EventID }) => EventID) } })
}

test('what is critical takes the right of the wall with its place, value and supply, and gives it back when somebody acknowledges it', async ({
  page,
  network,
  stack,
}) => {
  await page.goto(`${network.url}/bigScreen`)
  await expect(page.getByRole('region', { name: '异常事件', exact: true })).toBeVisible()
  stack.fleet.run('leakageTrip', { controllerId: 'A-T1', lineNo: 4 })
  await expect(takeover(page)).toContainText('A线4')
  await expect(takeover(page).getByRole('list', { name: '供电路径', exact: true })).toContainText('A线4')
  await expect(page.getByRole('region', { name: '异常事件', exact: true })).toHaveCount(0)
  expect(await violationsInBothThemes(page)).toEqual([])
  await acknowledged(stack)
  await expect(page.getByRole('region', { name: '异常事件', exact: true })).toContainText('A线4')
  await expect(takeover(page)).toHaveCount(0)
})

test('fire has the whole screen, the place before all else; nothing on it operates anything', async ({
  page,
  network,
  stack,
}) => {
  await page.goto(`${network.url}/bigScreen`)
  await expect(page.getByRole('heading', { name: '总览' })).toBeVisible()
  stack.fleet.run('smoke', { controllerId: 'B-Y1' })
  const fire = page.getByRole('alert', { name: '危及人身', exact: true })
  await expect(fire).toContainText('烟雾')
  await expect(fire.locator('.where')).toHaveText(/烟感/)
  await expect(fire.locator('.cells')).toContainText('1 / 1')
  await expect(fire.getByRole('button')).toHaveCount(0)
  expect(await violationsInBothThemes(page)).toEqual([])
  await acknowledged(stack)
  await expect(fire).toHaveCount(0)
})

test('after ten minutes a banner stays and the plant comes back; several take turns, and a sound that the browser forbids is told', async ({
  page,
  network,
  stack,
}) => {
  const now = Date.now()
  const critical = { priority: 'critical', raisedAt: now } as const
  await raiseEvents(stack, [
    { ...critical, lineNo: 2, label: { zh: '短路脱扣', en: 'Short circuit' } },
    { ...critical, lineNo: 3, label: { zh: '过载脱扣', en: 'Overload' } },
  ])
  await page.addInitScript(() => {
    HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('not now', 'NotAllowedError'))
  })
  await page.clock.install()
  await page.goto(`${network.url}/bigScreen`)
  await expect(takeover(page)).toContainText(/第 [12] \/ 2 条/)
  await expect(page.getByRole('banner')).toContainText('声音被浏览器禁止')
  await stopTime(page)
  const first = await takeover(page).getByRole('heading', { level: 2 }).textContent()
  await page.clock.runFor(8_000)
  await expect(takeover(page).getByRole('heading', { level: 2 })).not.toHaveText(first ?? '')
  await page.clock.resume()
  const db = await stack.server.database.connect()
  await db.query(`update event set raised_at = raised_at - interval '11 minutes', stored_at = stored_at - interval '11 minutes'`)
  await db.end()
  await page.reload()
  await expect(banner(page)).toContainText('另有 1 条')
  await expect(takeover(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: '异常事件', exact: true })).toBeVisible()
})
