import { insertWorkOrder, listUnacknowledged, workOrderPeople } from '@linewarden/contract'
import type { Locator, Page } from '@playwright/test'
import { signedIn } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { flood, raise } from '../raise.ts'
import { enter } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ popUpsStay: true })

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

const someLine = ({ server }: Stack) => {
  const line = [...server.plant.lines.values()].find(({ name }) => name === '1层照明一')
  if (!line) throw new Error('the plant has no line')
  return line
}
const pops = (page: Page) => page.getByRole('region', { name: '新事件' })
const alerts = (page: Page) => pops(page).getByRole('alert')
const counted = (page: Page, count: number) => page.getByRole('button', { name: `未确认 ${count}`, exact: true })

test.beforeEach(async ({ page, stack }) => {
  const db = await stack.server.database.connect()
  await db.query('delete from event')
  await db.end()
  await enter(page, stack)
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
})

test('an alarm nobody acknowledged comes back with each load, language, tab and after it was cleared away', async ({
  page,
  stack,
}) => {
  await raise(stack, someLine(stack), ['一号楼'])
  await expect(alerts(page)).toContainText('一号楼')
  await expect(counted(page, 1)).toBeVisible()
  await page.getByRole('button', { name: '清除弹窗' }).click()
  await expect(alerts(page)).toHaveCount(0)
  await expect(counted(page, 1)).toBeVisible()
  await page.reload()
  await expect(alerts(page)).toContainText('一号楼')
  await page.getByRole('button', { name: '中/EN' }).click()
  await expect(page.getByRole('region', { name: 'New events' }).getByRole('alert')).toContainText('一号楼')
  await page.getByRole('button', { name: '中/EN' }).click()
  const other = await page.context().newPage()
  await other.goto('/devmon/history')
  await expect(alerts(other)).toContainText('一号楼')

  // Acknowledged on one screen it leaves all of them.
  await alerts(other).getByRole('button', { name: '确认' }).click()
  for (const each of [page, other]) {
    await expect(alerts(each)).toHaveCount(0)
    await expect(counted(each, 0)).toBeVisible()
  }
})

test('the list has what no pop-up shows, leads to the line, and acknowledges one or all that it shows', async ({
  page,
  stack,
}) => {
  await raise(stack, someLine(stack), flood(0, 60))
  await page.reload()
  await counted(page, 60).click()
  const list = page.getByRole('dialog', { name: '未确认' })
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '60')
  expect(await violationsInBothThemes(page)).toEqual([])
  await list
    .getByRole('button', { name: /^确认 / })
    .first()
    .click()
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '59')
  await list.getByRole('button', { name: '确认所列 59 条' }).click()
  await expect(list.getByText('没有未确认的事件')).toBeVisible()
  const client = await signedIn(stack.url, stack.admin)
  expect((await client.call(listUnacknowledged, { body: {} })).total).toBe(0)
  await raise(stack, someLine(stack), ['又一条'])
  await list.getByRole('button', { name: /^查看 / }).click()
  await expect(page.getByRole('dialog', { name: '1层照明一' })).toBeVisible()
})

test('of a thousand events only those in sight are drawn, and the last is reached by scrolling', async ({ page, stack }) => {
  await raise(stack, someLine(stack), flood(1, 1_000))
  await page.reload()
  await page.getByRole('button', { name: '未确认 999+', exact: true }).click()
  const list = page.getByRole('dialog', { name: '未确认' })
  const items = list.getByRole('listitem')
  await expect(items.first()).toHaveAttribute('aria-setsize', '1000')
  expect(await items.count()).toBeLessThan(60)
  const rows = list.getByRole('region', { name: '事件范围' })
  await rows.focus()
  // The oldest comes last: page after page is fetched on the way.
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(list.getByText('第 1 条', { exact: true })).toBeVisible({ timeout: 200 })
  }).toPass({ intervals: [50] })
  expect(await items.count()).toBeLessThan(60)
})

test('what was acknowledged and is still there stays in the list of all that is open, with who did', async ({ page, stack }) => {
  await raise(stack, someLine(stack), ['甲', '乙'])
  await counted(page, 2).click()
  const list = page.getByRole('dialog', { name: '未确认' })
  await list.getByRole('button', { name: /^确认 甲/ }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await list.getByRole('button', { name: '全部未结束' }).click()
  const done = list.getByRole('listitem').filter({ hasText: '甲' })
  await expect(done).toContainText('admin')
  await expect(done).toContainText('已确认')
  await expect(done.getByRole('button', { name: /^确认 / })).toHaveCount(0)
  await expect(
    list
      .getByRole('listitem')
      .filter({ hasText: '乙' })
      .getByRole('button', { name: /^确认 / }),
  ).toBeVisible()
})

test('several stand as one with a word of how many more there are, and leave the tools of the page free', async ({
  page,
  stack,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await raise(stack, someLine(stack), flood(0, 5))
  await expect(alerts(page)).toHaveCount(1)
  await expect(async () => {
    const box = await pops(page).boundingBox()
    const head = await page.locator('main .head').boundingBox()
    expect(box?.y ?? 0).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0))
  }).toPass()
  await page.getByRole('button', { name: '批量操作' }).click({ trial: true })
  await pops(page).getByRole('button', { name: '还有 4 条' }).click()
  await expect(alerts(page)).toHaveCount(5)
  await pops(page).getByRole('button', { name: '收起' }).click()
  await expect(alerts(page)).toHaveCount(1)
})

test('on a phone they are a bar that covers neither the page nor the foot of an open drawer, and one press clears them', async ({
  page,
  stack,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const line = someLine(stack)
  await page.goto(`/devmon/realtime?at=house:${line.device.gateway.project.id}&line=${line.id}`)
  const drawer = page.getByRole('dialog', { name: '1层照明一' })
  await expect(drawer.getByRole('region', { name: '测点数值' })).toBeVisible()
  await raise(stack, line, flood(0, 3))
  await expect(pops(page).getByRole('button', { name: '还有 2 条' })).toBeVisible()
  await expect(async () => {
    const box = await pops(page).boundingBox()
    const foot = await drawer.boundingBox()
    expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + 1)
    expect(box?.height ?? 900).toBeLessThan(150)
  }).toPass()
  await pops(page).getByRole('button', { name: '全部清除' }).click()
  await expect(alerts(page)).toHaveCount(0)
  await expect.poll(() => drawer.evaluate((each) => each.getBoundingClientRect().bottom)).toBe(844)
  await page.keyboard.press('Escape')
  await counted(page, 3).click()
  await expect(page.getByRole('dialog', { name: '未确认' }).getByRole('listitem')).toHaveCount(3)
})

/** What whoever speaks to a button, or hears it, knows of it; and what it looks like. */
const buttonsOf = (within: Locator) =>
  within.locator('button:not([role=tab]):visible').evaluateAll((buttons) =>
    buttons.map((each) => ({
      name: (each.getAttribute('aria-label') ?? each.textContent ?? '').trim(),
      looks: `${each.textContent?.trim()} ${each.querySelector('svg')?.innerHTML ?? ''}`,
    })),
  )

const breakerWords = /\b(close|open|trip|energise|reset)\b|合闸|分闸|跳闸/i

/** No name stands for two things, and what puts something away is not called as what moves a breaker is. */
async function expectNamesApart(within: Locator, away: Locator) {
  const looks = new Map<string, Set<string>>()
  for (const each of await buttonsOf(within)) looks.set(each.name, (looks.get(each.name) ?? new Set()).add(each.looks))
  expect(looks.size).toBeGreaterThan(1)
  expect([...looks].filter(([name, of]) => name === '' || of.size > 1).map(([name]) => name)).toEqual([])
  await expect(away.first()).toBeVisible()
  for (const each of await away.all()) await expect(each).not.toHaveAccessibleName(breakerWords)
}

for (const language of ['CN', 'EN'] as const)
  test(`no two buttons of drawer, dialogs and pop-ups have one name, and none that puts away has a breaker's word, ${language}`, async ({
    page,
    stack,
  }) => {
    const line = someLine(stack)
    await page.evaluate((to) => localStorage.setItem('linewarden.language', to), language)
    await page.goto(`/devmon/realtime?at=house:${line.device.gateway.project.id}&line=${line.id}`)
    const drawer = page.locator('.drawer')
    await expect(drawer.locator('canvas').first()).toBeVisible()
    await raise(stack, line, flood(0, 3))
    await expect(page.locator('.pops-foot')).toBeVisible()
    await page.locator('.pops-foot [aria-expanded]').click()
    const crosses = page.locator('.pop h3 button, .pops-foot button, .drawer header .title > button:last-child')
    const [operate, tags] = language === 'CN' ? ['分闸', '挂牌'] : ['Trip breaker', 'Apply tag']
    await expectNamesApart(page.locator('.drawer, .pops, header.top'), crosses)
    await drawer.getByRole('button', { name: operate, exact: true }).click()
    const dialog = page.locator('.dialog')
    const cancel = dialog.getByRole('button', { name: /^(取消|Cancel)$/ })
    await expectNamesApart(dialog, cancel)
    await cancel.click()
    await drawer.getByRole('tab').nth(2).click()
    await expectNamesApart(page.locator('.drawer, .pops, header.top'), crosses)
    await drawer.getByRole('button', { name: tags, exact: true }).click()
    await expectNamesApart(dialog, cancel)
  })

test('in a list they cover neither its filters and buttons nor what can be done with its rows', async ({ page, stack }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await raise(stack, someLine(stack), flood(0, 5))
  await expect(alerts(page)).toHaveCount(1)
  for (const list of ['/system/geteway', '/system/users', '/system/log']) {
    await page.goto(list)
    await expect(alerts(page)).toHaveCount(1)
    await expect(page.locator('.query-table tbody tr').first()).toBeVisible()
    for (const tool of await page.locator('.query-table .bar :is(button, input, select):enabled:not([aria-disabled=true])').all())
      await tool.click({ trial: true })
    for (const first of await page
      .locator('.query-table tbody tr:first-child .row-actions button:not([aria-disabled=true]):enabled')
      .all())
      await first.click({ trial: true })
    for (const turn of await page.locator('.pages :is(button, select):enabled:not([aria-disabled=true])').all())
      await turn.click({ trial: true })
  }
})

test('a menu that somebody has opened is in reach whatever pops up', async ({ page, stack }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const line = someLine(stack)
  const HouseID = line.device.gateway.project.id
  const [founder] = (await stack.client.call(workOrderPeople, { query: { HouseID } })).items
  await stack.client.call(insertWorkOrder, {
    body: {
      ...{ HouseID, ActID: crypto.randomUUID(), Type: 'repair', Title: '紧固端子', Description: '先停电', Priority: 'low' },
      ...{ PersonInCharge: founder?.AccountID ?? '', ValidDays: 7, ReminderDays: 1, WorkingDaysOnly: false, Dispatch: false },
    },
  })
  await raise(stack, line, flood(0, 5))
  await page.goto('/hazard/workorder')
  await expect(alerts(page)).toHaveCount(1)
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const choices = page.getByRole('dialog', { name: '导出' }).getByRole('button')
  await expect(choices).toHaveCount(2)
  for (const choice of await choices.all()) await choice.click({ trial: true })
})

test('in the history they cover neither what is chosen nor the comparison', async ({ page, stack }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const line = someLine(stack)
  await raise(stack, line, flood(0, 5))
  await page.goto(`/devmon/hisdata?points=${line.device.gateway.project.id}:${line.id}:current.a`)
  await expect(alerts(page)).toHaveCount(1)
  const tools = page.locator('main :is(.head, .chosen-bar) :is(button, input):enabled')
  await expect(tools.filter({ hasText: '对比上一周期' })).toBeVisible()
  for (const tool of await tools.all()) await tool.click({ trial: true })
})

test('on the smallest phone the account is in reach however many events there are', async ({ page, stack }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await raise(stack, someLine(stack), flood(0, 120))
  await expect(counted(page, 120)).toBeVisible()
  const buttons = page.locator('header.top button:visible')
  for (const each of await buttons.all()) await each.click({ trial: true })
  const box = await buttons.last().boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360)
})

test('the header and the pop-ups lead to the list of all alarms, and to the alarm in it', async ({ page, stack }) => {
  await raise(stack, someLine(stack), ['门未关'])
  await pops(page).getByRole('link', { name: '门未关' }).click()
  await expect(page).toHaveURL(/\/hazard\/alarmList\?event=\d+/)
  await expect(page.getByRole('dialog', { name: '门未关' })).toContainText('1层照明一')
  await counted(page, 1).click()
  await page.getByRole('dialog', { name: '未确认' }).getByRole('link', { name: '报警列表' }).click()
  await expect(page.getByRole('row').filter({ hasText: '门未关' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
