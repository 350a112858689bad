import { listWarningRules, updateWarningRule } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { unreasoned, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const houseOf = (stack: Stack) => [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0

async function open(page: Page, stack: Stack, rule: string): Promise<void> {
  await page.goto(`/advance/warning?house=${houseOf(stack)}&rule=${rule}`)
  await expect(page.getByRole('region', { name: '规则参数' })).toBeVisible()
}

const figure = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: '保存，从现在起生效' })
const rules = (page: Page) => page.getByRole('region', { name: '规则', exact: true })

test.beforeEach(async ({ page, stack }) => {
  const db = await stack.server.database.connect()
  await db.query('delete from warning_rule_change; delete from warning_rule')
  await db.end()
  await keepSession(page, stack)
})

test('a figure is changed within its range, saved with a reason, and given back to the default', async ({ page, stack }) => {
  await open(page, stack, 'overcurrent')
  await expect(rules(page)).toContainText(/过流.*内置/s)
  await expect(rules(page).getByRole('switch', { name: '启用谐波' })).toBeDisabled()
  await expect(save(page)).toBeDisabled()
  await figure(page, '持续时间').fill('121')
  await expect(page.getByText('应为 1 – 120')).toBeVisible()
  await expect(page.getByRole('button', { name: '请先改正' })).toBeDisabled()
  await figure(page, '持续时间').fill('15')
  await expect(page.getByText('原 10')).toBeVisible()
  await expect(page.getByText('未保存：1 项')).toBeVisible()
  await expect(page.getByRole('complementary', { name: '过去 30 天会触发' })).toContainText(/新规则.*0.*现行规则.*0/s)
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('textbox', { name: /原因/ }).fill('电机启动频繁')
  await save(page).click()
  await expect(page.getByText(/改规则只影响以后的判断/)).toBeVisible()
  await expect(rules(page)).toContainText(/过流.*项目/s)
  await expect(page.getByRole('region', { name: '谁改了什么' })).toContainText(/持续时间 10 → 15.*电机启动频繁/s)
  expect(await unreasoned(page)).toEqual([])

  await page.getByRole('button', { name: '恢复默认' }).click()
  const dialog = page.getByRole('dialog', { name: '恢复默认' })
  await dialog.getByRole('button', { name: '误改' }).click()
  await dialog.getByRole('button', { name: '恢复默认' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(figure(page, '持续时间')).toHaveValue('10')
  await expect(page.getByRole('button', { name: '恢复默认' })).toHaveAttribute('aria-disabled', 'true')
})

test('what is not saved is asked for before it is lost, and what another person saved meanwhile is not overwritten', async ({
  page,
  stack,
  problems,
}) => {
  forgive(problems, /409/)
  await open(page, stack, 'overcurrent')
  await figure(page, '持续时间').fill('20')
  await rules(page).getByRole('button', { name: '离线', exact: true }).click()
  const leave = page.getByRole('dialog', { name: '有未保存的修改' })
  await leave.getByRole('button', { name: '留下继续' }).click()
  await expect(figure(page, '持续时间')).toHaveValue('20')

  const HouseID = houseOf(stack)
  const { items } = await stack.client.call(listWarningRules, { query: { HouseID } })
  const rule = items.find(({ Key }) => Key === 'overcurrent')
  if (!rule) throw new Error('no rule')
  const { Key, Version, Enabled, Priority, Targets, Except, Params } = rule
  const Theirs = Params.map(({ Name, Value }) => ({ Name, Value: Name === 'minutes' ? 30 : Value }))
  await stack.client.call(updateWarningRule, {
    body: { HouseID, Key, Version, Enabled, Priority, Targets, Except, Params: Theirs },
  })
  await save(page).click()
  await expect(page.getByRole('alert')).toContainText('别人刚保存过这条规则')
  await expect(figure(page, '持续时间')).toHaveValue('20')
  await expect(page.getByText('原 30')).toBeVisible()
  await save(page).click()
  await expect(page.getByRole('region', { name: '谁改了什么' })).toContainText('持续时间 30 → 20')

  await figure(page, '持续时间').fill('25')
  await rules(page).getByRole('button', { name: '离线', exact: true }).click()
  await leave.getByRole('button', { name: '放弃修改并离开' }).click()
  await expect(page).toHaveURL(/rule=offline/)
})

test('a rule is switched off, and leaves out a line that is found by its name', async ({ page, stack }) => {
  await open(page, stack, 'wear')
  await rules(page).getByRole('switch', { name: '启用触头磨损' }).click()
  const except = page.getByRole('group', { name: '例外' })
  await except.getByRole('button', { name: '添加线路' }).click()
  await except.getByRole('combobox', { name: '添加线路' }).fill('A线3')
  await page.getByRole('option', { name: /A线3/ }).click()
  await expect(except.getByRole('button', { name: '移除 A线3' })).toBeVisible()
  await page.getByRole('button', { name: '按型号' }).click()
  await expect(page.getByRole('button', { name: '请先改正' })).toBeDisabled()
  await page.getByRole('button', { name: '全部线路' }).click()
  await save(page).click()
  await expect(page.getByRole('region', { name: '谁改了什么' })).toContainText(/停用、例外 0 → 1/)
  await expect(rules(page).getByRole('switch', { name: '启用触头磨损' })).not.toBeChecked()
})

test('on a phone rules are read and not edited, and the page says so', async ({ page, stack }) => {
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(`/advance/warning?house=${houseOf(stack)}`)
  await page.getByRole('button', { name: 'Overcurrent', exact: true }).click()
  await expect(page.locator('.rule-form')).toContainText('The screen is narrow')
  await expect(page.getByRole('region', { name: 'Figures of the rule' }).getByRole('textbox')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Figures of the rule' })).toContainText(/Lasts.*10.*min/s)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Rules', exact: true }).click()
  await expect(page.getByRole('switch', { name: 'Overcurrent on' })).toBeDisabled()
})
