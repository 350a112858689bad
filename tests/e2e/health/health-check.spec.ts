import type { Page } from '@playwright/test'
import { soundLines, storeHealthPast } from '../../kit/health-past.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { arrived, phone, tooWide } from '../looks.ts'
import { isA4, pagesOf } from '../pdf-pages.ts'
import { enter, keepSession } from '../sign-in.ts'
import { closePopUps, expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const houseOf = ({ server }: Stack) => [...server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0
const address = (stack: Stack) => `${stack.url}/hazard/devTest?at=house:${houseOf(stack)}`
const rows = (page: Page) => page.getByRole('table', { name: /^(设备体检|Health check)$/ })

let isStored = false
/** 30 days in which nothing was wrong, and a line whose set point is a volt too high. */
async function stored(stack: Stack): Promise<void> {
  if (isStored) return
  const own = [...stack.server.plant.lines.values()].filter(({ device }) => device.gateway.number === 'GW-A')
  soundLines(own, Date.now())
  stack.server.plant.lineAt('A-T1', 3)?.reported.set('overvoltage', 266)
  const client = await stack.server.database.connect()
  await storeHealthPast(client, { lineIds: own.map(({ id }) => id), now: Date.now() }).finally(() => client.end())
  isStored = true
}

test('one press examines a project, and every point lost is explained', async ({ page, browser, stack }) => {
  await stored(stack)
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, stack, `${stack.url}/hazard/devTest`)
  // Of two projects somebody chooses one.
  await expect(page.getByText('选择项目，开始体检')).toBeVisible()
  await page.goto(address(stack))
  await expect(page.getByText('还没有体检记录')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: '开始体检' }).click()
  const row = rows(page).getByRole('row').filter({ hasText: 'A线3' })
  await expect(row).toContainText('92')
  await expect(page.getByText('9 路', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: 'A线3' }).click()
  await expect(page.getByText('过压保护 266 V，应在 235–265 V（型号 3PN）').last()).toBeVisible()
  await expect(page).toHaveURL(/row=\d+/)
  await expect(page.getByRole('link', { name: '改参数' })).toHaveAttribute('href', /\/devmon\/params\?at=line:/)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])

  // Mended and examined again: what is gone is said.
  stack.server.plant.lineAt('A-T1', 3)?.reported.set('overvoltage', 265)
  await page.getByRole('button', { name: '重新体检' }).click()
  await expect(page.getByText(/^变差 0 路，变好 1 路/)).toBeVisible()
  await rows(page).getByRole('button', { name: 'A线3' }).click()
  await expect(page.getByText(/比上次消除：过压保护 266 V/)).toBeVisible()

  // Filters stand in the address.
  await page.getByRole('combobox', { name: '全部等级' }).selectOption('dangerous')
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
  await expect(page).toHaveURL(/band=dangerous/)

  // On a phone, in English.
  const context = await browser.newContext({ viewport: phone, baseURL: stack.url })
  const mobile = await context.newPage()
  await closePopUps(mobile)
  await mobile.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await keepSession(mobile, stack)
  await mobile.goto(address(stack))
  const card = mobile.getByRole('listitem').filter({ hasText: 'A线3' }).first()
  await expect(card).toBeVisible()
  await card.getByRole('button').click()
  await expect(card.getByText('Nothing lost')).toBeVisible()
  await arrived(mobile)
  expect(await tooWide(mobile)).toEqual([])
  expect(await violations(mobile)).toEqual([])
  await context.close()
})

test('the sheet is A4, says on each page what it is of, and is to be signed', async ({ page, stack }) => {
  await stored(stack)
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, stack, address(stack))
  await page.getByRole('button', { name: /^(开始体检|重新体检)$/ }).click()
  await expect(page.getByRole('button', { name: '打印' })).toBeVisible()
  await page.getByRole('button', { name: '打印' }).click()
  const sheet = page.locator('.paper')
  await expect(sheet).toContainText('设备体检报告')
  for (const word of ['体检', '审阅', '受检单位', '日期', 'SHA-256', '规则 2026.2']) await expect(sheet).toContainText(word)
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })

  // In the dark theme too paper is white, and nothing of the console is on it.
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  await expect(page.locator('header.top')).toBeHidden()
  await expect(page.getByRole('button', { name: '返回' })).toBeHidden()
  expect(await sheet.evaluate((each) => getComputedStyle(each).backgroundColor)).toBe('rgb(255, 255, 255)')
  const few = pagesOf(await page.pdf({ preferCSSPageSize: true }))
  expect(few.every(isA4)).toBe(true)

  // Ten times as many lines need more pages: the head is a table's, which each page repeats, and no line is cut.
  const copied = await sheet.evaluate((each) => {
    const list = each.querySelector('.sheet-lines')
    const lines = [...(list?.children ?? [])]
    for (let times = 0; times < 12; times++) for (const line of lines) list?.append(line.cloneNode(true))
    const styles = getComputedStyle(lines[0] as Element)
    return {
      count: list?.children.length ?? 0,
      break: styles.breakInside,
      head: getComputedStyle(each.querySelector('thead') as Element).display,
    }
  })
  expect(copied).toMatchObject({ break: 'avoid', head: 'table-header-group' })
  const many = pagesOf(await page.pdf({ preferCSSPageSize: true }))
  expect(many.length).toBeGreaterThan(few.length + 1)
})
