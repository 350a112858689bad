import { answerRound, finishRound, getRound, startRound } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { arrived, phone, tooWide } from '../looks.ts'
import { enter, keepSession } from '../sign-in.ts'
import { closePopUps, expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const houseOf = ({ server }: Stack) => [...server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0
const desk = { width: 1440, height: 900 }
const drawer = (page: Page) => page.getByRole('dialog', { name: /^(巡检详情|Round details)$/ })

/** A sub-account of project A that may inspect, and make orders. */
async function person(stack: Stack, userName: string, nickName: string) {
  const { accounts, database } = stack.server
  const privileges = ['hazard', 'hazard.patrol', 'hazard.workorder']
  const roleId = await accounts.createRole({ number: userName, name: nickName, privileges, buttons: [] })
  await accounts.createAccount({ userName, password: 'Duty-7391', kind: 'sub', roleId, projectIds: [houseOf(stack)] })
  await database.general.updateTable('account').set({ nick_name: nickName }).where('user_name', '=', userName).execute()
  return { url: stack.url, admin: { userName, password: 'Duty-7391' } }
}

test('a plan is made from a template, stands in list and calendar, and is written anew', async ({ page, browser, stack }) => {
  await page.setViewportSize(desk)
  await enter(page, stack, `${stack.url}/hazard/patrol?at=house:${houseOf(stack)}`)
  await expect(page.getByText('还没有巡检计划')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: '从模板新建' }).click()
  const form = page.getByRole('dialog', { name: '新建计划' })
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form.getByText('请填写名称')).toBeVisible()
  await expect(form.getByText('请至少选择一个巡检点')).toBeVisible()
  await form.getByRole('button', { name: '漏电保护器试跳' }).click()
  await expect(form.getByRole('list', { name: '路线' }).getByRole('listitem')).toHaveCount(1)
  await form.getByRole('textbox', { name: '有名称的地点' }).fill('2# 配电间')
  await form.getByRole('button', { name: '加入' }).click()
  await expect(form.getByRole('list', { name: '路线' }).getByRole('listitem')).toHaveText([/三相/, /2# 配电间/])
  expect(await violations(page)).toEqual([])
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form).toHaveCount(0)
  const plans = page.getByRole('table', { name: '计划与日历' })
  await expect(plans.getByRole('row').filter({ hasText: '漏电保护器试跳' })).toContainText('每 1 月，从计划日算')
  await expect(plans.getByRole('row').filter({ hasText: '漏电保护器试跳' })).toContainText('2 站')
  const calendar = page.getByRole('region', { name: '到期日历' })
  await expect(calendar.locator('.due-cell.today')).toContainText('漏电保护器试跳')
  expect(await violationsInBothThemes(page)).toEqual([])

  await plans.getByRole('button', { name: '漏电保护器试跳' }).click()
  const edit = page.getByRole('dialog', { name: '修改计划' })
  await edit.getByRole('textbox', { name: '计划名称' }).fill('每月试跳')
  await edit.getByRole('button', { name: '保存' }).click()
  await expect(edit).toHaveCount(0)
  await expect(plans.getByRole('button', { name: '每月试跳' })).toBeVisible()

  // On a phone, in English.
  const context = await browser.newContext({ viewport: phone, baseURL: stack.url })
  const mobile = await context.newPage()
  await closePopUps(mobile)
  await mobile.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await keepSession(mobile, stack)
  for (const view of ['', '&view=rounds', '&view=labels']) {
    await mobile.goto(`/hazard/patrol?at=house:${houseOf(stack)}${view}`)
    await arrived(mobile)
    expect(await tooWide(mobile)).toEqual([])
    expect(await violations(mobile)).toEqual([])
  }
  await context.close()
})

test('a finished round shows defects first, is approved by somebody else, and prints what was signed', async ({
  page,
  stack,
}) => {
  const inspector = await person(stack, '13700000021', '李强')
  const approver = await person(stack, '13700000022', '周敏')
  const client = await signedIn(stack.url, inspector.admin)
  const RoundID = crypto.randomUUID()
  await client.call(startRound, {
    body: {
      ...{ HouseID: houseOf(stack), RoundID },
      Without: {
        ...{ Name: '配电室月检', Kind: 'onSite', Stops: [{ Place: '1# 配电间' }], LeftOut: [], OwnItems: [] },
        ...{ Signature: 'none', PhotoOn: 'never' },
      },
    },
  })
  const { Checklists } = await client.call(getRound, { params: { RoundID } })
  const [first, ...others] = Checklists[0]?.Items ?? []
  const at = Date.now()
  const given = { StopID: 1, Rev: 1, Value: null, Choice: null, Level: null, Photos: [], PhoneTime: at }
  await client.call(answerRound, {
    params: { RoundID },
    body: {
      ...{ PhoneID: crypto.randomUUID(), Now: at },
      Arrivals: [{ StopID: 1, How: 'list', Reason: '标签损坏', PhoneTime: at }],
      Answers: [
        { ...given, ItemID: first?.ItemID ?? '', Result: 'defect', Level: 'high', Note: '柜前堆放纸箱' },
        ...others.map(({ ItemID }) => ({ ...given, ItemID, Result: 'none' as const, Note: '' })),
      ],
    },
  })
  await client.call(finishRound, { params: { RoundID }, body: {} })

  await page.setViewportSize(desk)
  await keepSession(page, approver)
  await page.goto(`/hazard/patrol?view=rounds&at=house:${houseOf(stack)}`)
  await page.getByRole('button', { name: '配电室月检' }).click()
  const found = drawer(page).getByRole('region', { name: '缺陷与未检' })
  await expect(found).toContainText('柜前堆放纸箱')
  await expect(found).toContainText('选站')
  await expect(found).toContainText('隐患 较大')
  expect(await violationsInBothThemes(page)).toEqual([])
  await drawer(page).getByRole('button', { name: '审核通过' }).click()
  await page
    .getByRole('dialog', { name: /^审核通过/ })
    .getByRole('button', { name: '审核通过' })
    .click()
  await expect(drawer(page).getByText('已审核').first()).toBeVisible()
  await drawer(page).getByRole('button', { name: '打印' }).click()
  const sheet = page.locator('.round-sheet')
  await expect(sheet).toContainText('柜前堆放纸箱')
  await expect(sheet).toContainText('周敏')
  expect(await violations(page)).toEqual([])
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
})

test('an online round is chosen, walked, and says of every line what is wrong', async ({ page, stack }) => {
  await page.setViewportSize(desk)
  await enter(page, stack, `${stack.url}/hazard/patrol?at=house:${houseOf(stack)}`)
  await page.getByRole('button', { name: '在线巡检…' }).click()
  const dialog = page.getByRole('dialog', { name: '在线巡检' })
  await dialog.getByRole('checkbox', { name: 'A柜 全部' }).check()
  await dialog.getByRole('button', { name: '开始巡检' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(drawer(page).getByRole('region', { name: '检查了什么' })).toBeVisible()
  await expect(drawer(page).getByRole('region', { name: '线路' })).toContainText('A线1')
  expect(await violationsInBothThemes(page)).toEqual([])
})

test('labels get their codes, 24 a page', async ({ page, stack }) => {
  await page.setViewportSize(desk)
  await enter(page, stack, `${stack.url}/hazard/patrol?view=labels&at=house:${houseOf(stack)}`)
  await page.getByRole('checkbox', { name: 'A柜 全部' }).check()
  await page.getByRole('button', { name: '生成 3 张标签' }).click()
  await expect(page.locator('.label-one')).toHaveCount(3)
  const codes = await page.locator('.label-one small:last-child').allTextContents()
  expect(new Set(codes).size).toBe(3)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: '生成 3 张标签' }).click()
  await expect(page.locator('.label-one small:last-child')).toHaveText(codes)
})
