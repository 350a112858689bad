import { revokeScreen } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { newLink } from '../../kit/walls.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const houseOf = ({ server }: Stack, device = 'A-T1') => server.plant.lineAt(device, 1)?.device.gateway.project.id ?? 0
const kept = (page: Page) => page.evaluate(() => ({ ...localStorage }))

test('a link opens the wall without anybody, takes its key out of the address, shows its projects alone, and ends at once', async ({
  page,
  stack,
  problems,
}) => {
  const { Key, Screen } = await newLink(stack.client, [houseOf(stack)], { Name: '门厅' })
  await page.goto(`/bigScreen#k=${Key}`)
  await expect(page.getByRole('heading', { name: '项目A', exact: true })).toBeVisible()
  expect(page.url()).toBe(`${stack.url}/bigScreen`)
  await expect(page.getByText('链路正常')).toBeVisible()
  await expect(page.getByText('项目B')).toHaveCount(0)
  expect(JSON.stringify(await kept(page))).not.toContain(Key)

  // It comes back by what it kept, and what it may not see looks as if it were not there.
  await page.reload()
  await expect(page.getByRole('heading', { name: '项目A', exact: true })).toBeVisible()
  await page.goto(`/bigScreen/home/${houseOf(stack)}`)
  await expect(page.getByRole('heading', { name: '项目A · 供电单线图' })).toBeVisible()
  forgive(problems, /404/)
  await page.goto(`/bigScreen/home/${houseOf(stack, 'B-T1')}`)
  await expect(page.getByText('项目B')).toHaveCount(0)
  await page.goto('/devmon/realtime')
  await expect(page).toHaveURL(/\/login\?redirect=/)

  await page.goto('/bigScreen')
  await expect(page.getByText('链路正常')).toBeVisible()
  forgive(problems, /401/)
  await stack.client.call(revokeScreen, { body: { ScreenID: Screen.ScreenID } })
  await expect(page.getByRole('alert')).toContainText('链接已被吊销，请联系管理员')
  expect(Object.keys(await kept(page)).filter((key) => key.startsWith('linewarden.screen'))).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.reload()
  await expect(page).toHaveURL(/\/login\?redirect=/)
})

test('a link that is in use, or was never one, says so', async ({ page, browser, stack, problems }) => {
  const { Key } = await newLink(stack.client, [houseOf(stack)])
  const other = await browser.newContext({ baseURL: stack.url })
  const first = await other.newPage()
  await first.goto(`/bigScreen#k=${Key}`)
  await expect(first.getByText('链路正常')).toBeVisible()
  forgive(problems, /40[19]/)
  await page.goto(`/bigScreen#k=${Key}`)
  await expect(page.getByRole('alert')).toContainText('此链接已在另一块屏上使用')
  await page.goto('/bigScreen')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await page.goto(`/bigScreen#k=${'0'.repeat(26)}`)
  await expect(page.getByRole('alert')).toContainText('链接已失效，请联系管理员')
  await other.close()
})

test('an administrator makes a link, copies it once, pairs a screen by its code, looks at it and ends it', async ({
  page,
  browser,
  stack,
}) => {
  await keepSession(page, stack)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/system/project')
  await page.getByRole('link', { name: '大屏链接', exact: true }).click()
  const list = page.getByRole('list', { name: '大屏链接', exact: true })
  await page.getByRole('button', { name: '新建链接', exact: true }).click()
  const form = page.getByRole('dialog', { name: '新建链接', exact: true })
  await form.getByLabel(/^名称/).fill('配电室')
  await form.getByRole('button', { name: '生成链接', exact: true }).click()
  await expect(form).toContainText('请选择一个分组，或至少一个项目')
  await form.getByRole('checkbox', { name: '项目A' }).check()
  expect(await violationsInBothThemes(page)).toEqual([])
  await form.getByRole('button', { name: '生成链接', exact: true }).click()
  const key = page.getByRole('dialog', { name: '“配电室”的链接' })
  await expect(key).toContainText('#k=')
  await key.getByRole('button', { name: '已复制' }).click()
  await expect(list.getByRole('listitem', { name: '配电室', exact: true })).toContainText('使用中 0 / 1 屏')

  const tv = await browser.newContext({ baseURL: stack.url })
  const wall = await tv.newPage()
  await wall.goto('/bigScreen')
  await wall.getByRole('link', { name: '大屏配对（无需登录）' }).click()
  const code = (await wall.getByLabel('配对码', { exact: true }).textContent()) ?? ''
  expect(code).toMatch(/^\d{3} \d{3}$/)
  await page.getByRole('button', { name: '大屏配对', exact: true }).click()
  const pair = page.getByRole('dialog', { name: '大屏配对' })
  await pair.getByLabel(/^配对码/).fill(code)
  await pair.getByLabel(/^要显示的链接/).selectOption('配电室')
  await pair.getByRole('button', { name: '查找' }).click()
  await expect(pair).toContainText('请核对这就是您面前的大屏')
  await pair.getByRole('button', { name: '确认配对' }).click()
  await expect(wall.getByRole('heading', { name: '项目A', exact: true })).toBeVisible()

  const card = list.getByRole('listitem', { name: '配电室', exact: true })
  await card.getByRole('button', { name: '查看各屏' }).click()
  await expect(card).toContainText('页面 /bigScreen')
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await card.getByRole('button', { name: '解除此屏' }).click()
  await page.getByRole('dialog', { name: '解除“配电室”的一块屏' }).getByRole('button', { name: '解除此屏' }).click()
  await expect(wall.getByRole('alert')).toContainText('此大屏已被管理员解除')
  await tv.close()
})
