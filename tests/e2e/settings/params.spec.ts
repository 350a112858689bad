import { insertTemplate, placeTag, queryTemplates, updateTemplate } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import type { Locator, Page } from '@playwright/test'
import type { Stack } from '../../kit/stack.ts'
import { signedIn } from '../../kit/stack.ts'
import { enter } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

const breakerSettings = familyOf('breaker1p')?.settings ?? []

test.beforeEach(async ({ page, stack }) => {
  await enter(page, stack, `${stack.url}${lineSettings(stack)}`)
})

/** The page with a breaker's first line chosen. */
function lineSettings(stack: Stack): string {
  const device = [...stack.server.plant.deviceByControllerId.values()].find(
    ({ family, lines }) => family.key === 'breaker1p' && lines.size > 3,
  )
  const [line] = [...(device?.lines.values() ?? [])]
  if (!device || !line) throw new Error('the fleet has no such breaker')
  return `/devmon/params?at=line:${device.gateway.project.id}:${line.id}`
}

test('without a line the page asks for one; nothing is set on the line that stands first', async ({ page }) => {
  await page.goto('/devmon/params')
  await expect(page.getByRole('heading', { name: '请选择要设置的线路' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: '过载延时' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '下发' })).toHaveCount(0)
  const projects = page.getByRole('list', { name: '项目' }).getByRole('button')
  const lines = page.getByRole('list', { name: '可设置的线路' }).getByRole('button')
  await expect(projects.or(lines).first()).toBeVisible()
  if (await projects.count()) await projects.first().click()
  await page.getByRole('searchbox', { name: '线路或网关名称' }).fill('照明二')
  await expect(lines.first()).toContainText('照明二')
  const name = (await lines.first().locator('bdi').first().textContent()) ?? ''
  await lines.first().click()
  await expect(page).toHaveURL(/at=line%3A/)
  await expect(page.getByRole('textbox', { name: '过载延时' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(name)
  // What changed on any line is looked up without one.
  await page.goto('/devmon/params?view=history')
  await expect(page.getByRole('table', { name: '变更记录' })).toBeVisible()
})

test('the dialog repeats what is sent: from what to what, what bypasses a protection, and to which line', async ({ page }) => {
  const reported = await page
    .getByRole('row', { name: /漏电动作值/ })
    .getByRole('cell', { name: /mA$/ })
    .first()
    .textContent()
  await page.getByRole('textbox', { name: '漏电动作值' }).fill('500')
  await page.getByRole('textbox', { name: '过载延时' }).fill('44')
  await page.getByRole('button', { name: '下发', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const changes = dialog.getByRole('table', { name: '变更' })
  await expect(changes.getByRole('row', { name: /过载延时/ })).toContainText('44 s')
  const bypassed = changes.getByRole('row', { name: /漏电动作值/ })
  await expect(bypassed).toContainText(reported ?? '')
  await expect(bypassed).toContainText('500 mA')
  await expect(bypassed).toContainText('削弱保护')
  await expect(changes.getByRole('row', { name: /过载延时/ })).not.toContainText('削弱保护')
  await expect(dialog.getByRole('list', { name: '目标线路' }).getByRole('listitem')).toHaveText(/.+ \/ .+ \/ .+ \/ #1/)
  await dialog.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃' }).click()
})

test('a value out of range is told before it is sent; a good one counts once the equipment reports it', async ({ page }) => {
  const delay = page.getByRole('textbox', { name: '过载延时' })
  await delay.fill('9999')
  await expect(page.getByRole('alert').filter({ hasText: '应为 1–3600 s' })).toBeVisible()
  await expect(page.getByRole('button', { name: /先改正/ })).toBeDisabled()
  await delay.fill('33')
  await page.getByRole('button', { name: '下发' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '整定调整' }).click()
  await dialog.getByRole('button', { name: '下发' }).click()
  await expect(page.getByRole('region', { name: '本次下发' })).toContainText('1 已回报')
  const row = page.getByRole('row', { name: /过载延时/ })
  await expect(row).toContainText('33 s')
  await expect(row).toContainText('一致')
})

test('many lines are set at once, and the history leads back', async ({ page }) => {
  await page.getByRole('button', { name: '复制到多路' }).click()
  await page.getByRole('checkbox', { name: '全选' }).check()
  await page.getByRole('button', { name: /下发到 \d+ 路/ }).click()
  const dialog = page.getByRole('dialog')
  // What stands against a line may be known only by now: then it is left out.
  await expect(async () => {
    const to = Number(/\d+/.exec((await dialog.getByRole('heading').textContent()) ?? '')?.[0])
    expect(await dialog.getByRole('list', { name: '目标线路' }).getByRole('listitem').count()).toBe(to)
  }).toPass()
  await dialog.getByRole('button', { name: '整定调整' }).click()
  await dialog.getByRole('button', { name: '下发' }).click()
  await expect(page.getByRole('region', { name: '本次下发' })).toContainText(/[1-9]\d* 已回报，0 等待/)
  await page.getByRole('button', { name: '变更记录' }).click()
  await page.getByRole('button', { name: '全部线路' }).click()
  await expect(page.getByRole('table', { name: '变更记录' })).toContainText('批量')
})

test('a template is kept, edited, and applied to other lines', async ({ page, problems }) => {
  await setOverloadDelay(page, '41')
  await view(page, '模板')
  await page.getByRole('button', { name: '存为模板' }).click()
  const saving = page.getByRole('dialog', { name: '存为模板' })
  await saving.getByLabel('模板名称').fill('办公标准')
  await saving.getByRole('button', { name: '保存' }).click()
  const row = page.getByRole('table', { name: '模板' }).getByRole('row', { name: /办公标准/ })
  await expect(row).toContainText('过载延时 41 s')
  await row.getByRole('button', { name: '修改' }).click()
  const editing = page.getByRole('dialog', { name: '修改模板 办公标准' })
  const delay = editing.getByLabel('过载延时')
  await expect(delay).toHaveValue('41')
  await delay.fill('3601')
  await expect(editing.getByRole('alert')).toHaveText('应为 1–3600 s')
  await editing.getByRole('button', { name: '保存' }).click()
  await expect(delay).toBeFocused()
  await delay.fill('42')
  // What is left empty is not in it.
  for (const { label } of breakerSettings)
    if (label.zh !== '过载延时') await editing.getByLabel(label.zh, { exact: true }).fill('')
  await editing.getByLabel('漏电动作值').fill('150')
  await editing.getByLabel('备注').fill('三层以下')
  await editing.getByRole('button', { name: '保存' }).click()
  await expect(row).toContainText('过载延时 42 s · 漏电动作值 150 mA')
  await expect(row).toContainText('三层以下')
  await row.getByRole('button', { name: '应用' }).click()
  await expect(page.getByText('来自 办公标准')).toBeVisible()
  // Without it the line's own values are not sent in its stead.
  await page.route(/\/templates\/query$/, (route) => route.fulfill({ status: 503, body: '' }))
  await page.reload()
  const retry = page.getByRole('main').getByRole('button', { name: '重试' })
  await expect(retry).toBeVisible()
  await expect(page.getByText(/^来自 /)).toHaveCount(0)
  await page.unrouteAll()
  forgive(problems, /status of 503/)
  await retry.click()
  await expect(page.getByText('来自 办公标准')).toBeVisible()
  const targets = page.getByRole('group', { name: /目标线路/ }).getByRole('checkbox')
  for (const nth of [2, 3]) await targets.nth(nth).check()
  await page.getByRole('button', { name: '下发到 2 路' }).click()
  await send(page)
  await expect(page.getByRole('region', { name: '本次下发' })).toContainText('2 已回报，0 等待，0 未生效')
  await view(page, '变更记录')
  await page.getByRole('button', { name: '全部线路' }).click()
  await expect(page.getByRole('table', { name: '变更记录' })).toContainText('办公标准')
})

test('of two people who edit one template the second is told, and sees what the first made of it', async ({
  page,
  stack,
  problems,
}) => {
  const client = await signedIn(stack.url, stack.admin)
  const form = { Name: '两人同改', Family: 'breaker1p' }
  const { TemplateID, Version } = await client.call(insertTemplate, {
    body: { ...form, Settings: [{ Key: 'overload.delay', Value: 50 }] },
  })
  await view(page, '模板')
  const row = page.getByRole('table', { name: '模板' }).getByRole('row', { name: /两人同改/ })
  await row.getByRole('button', { name: '修改' }).click()
  const editing = page.getByRole('dialog', { name: '修改模板 两人同改' })
  await editing.getByLabel('过载延时').fill('60')
  await client.call(updateTemplate, {
    body: { TemplateID, Version, ...form, Settings: [{ Key: 'overload.delay', Value: 70 }] },
  })
  await editing.getByRole('button', { name: '保存' }).click()
  await expect(editing.getByRole('alert')).toContainText('其他人刚刚修改过')
  forgive(problems, /409/)
  await editing.getByRole('button', { name: '取消' }).click()
  await expect(row).toContainText('过载延时 70 s')
  await row.getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(row).toHaveCount(0)
  expect((await client.call(queryTemplates, { body: { Name: '两人同改' } })).total).toBe(0)
})

test('a line is compared with a template, and what differs is filled into its form', async ({ page, stack }) => {
  await setOverloadDelay(page, '43')
  await addTemplate(stack, '对照', { 'overload.delay': 77 })
  await view(page, '对比')
  const against = page.getByRole('combobox', { name: '选择线路或模板' })
  await against.selectOption({ label: '模板 · 对照' })
  const compared = page.locator('.comparing')
  await expect(compared.getByRole('status')).toHaveText('1 项不同')
  const row = page.getByRole('table', { name: '对比' }).getByRole('row', { name: /过载延时/ })
  await expect(row).toContainText('43 s')
  await expect(row).toContainText('+34 s')
  // What the template does not hold differs from nothing.
  await expect(page.getByRole('row', { name: /漏电动作值/ })).toContainText('一致')
  await compared.getByRole('button', { name: '填入本线路' }).click()
  await expect(page.getByRole('textbox', { name: '过载延时' })).toHaveValue('77')
  await expect(page.getByRole('region', { name: '将要下发' })).toContainText('1 项')
  await page.getByRole('button', { name: '放弃' }).click()
  // And with another line: the same values on both are the same.
  await view(page, '对比')
  const other = against.locator('option', { hasNotText: '模板 ·' }).nth(1)
  await against.selectOption((await other.getAttribute('value')) ?? '')
  await expect(compared.getByRole('status')).toHaveText(/一致|\d+ 项不同/)
})

test('a bypassed protection has a reason and an end; taking it back, and taking that back, ask what they must', async ({
  page,
}) => {
  const field = page.getByRole('textbox', { name: '漏电动作值' })
  const row = page.getByRole('row', { name: /漏电动作值/ }).first()
  const results = page.getByRole('region', { name: '本次下发' })
  await field.fill('200')
  await page.getByRole('button', { name: '下发', exact: true }).click()
  await send(page)
  await expect(results).toContainText('1 已回报')
  await field.fill('500')
  await page.getByRole('button', { name: '下发', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '下发' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('请选择或填写原因')
  await send(page, '漏电动作值')
  await expect(results).toContainText('1 已回报')
  await expect(row).toContainText(/至 .* 恢复 200 mA/)
  // Back to what it was: that protects, so nothing is asked but why.
  await view(page, '变更记录')
  const newest = page.getByRole('table', { name: '变更记录' }).getByRole('row').nth(1)
  await expect(newest).toContainText('200 mA → 500 mA')
  await newest.getByRole('button', { name: '回退' }).click()
  await expect(page.getByRole('dialog').getByLabel('持续时间')).toHaveCount(0)
  await send(page)
  await expect(newest).toContainText('500 mA → 200 mA')
  await expect(newest).toContainText('已回报')
  // What this one is taken back to protects no more: it has an end, too.
  await newest.getByRole('button', { name: '回退' }).click()
  await send(page, '漏电动作值')
  await expect(newest).toContainText('200 mA → 500 mA')
  await expect(newest).toContainText('已回报')
  await page.getByRole('combobox', { name: '全部变更' }).selectOption({ label: '仅关闭或削弱保护' })
  await expect(page.getByRole('table', { name: '变更记录' }).getByRole('row')).toHaveCount(3)
  await view(page, '本线路')
  await expect(row).toContainText(/至 .* 恢复/)
  // Here it stands weak already; on another line it would be bypassed, and that line needs an end of its own.
  await view(page, '复制到多路')
  await page.getByRole('checkbox', { name: '全选' }).check()
  await page.getByRole('button', { name: /下发到 \d+ 路/ }).click()
  await expect(page.getByRole('dialog')).toContainText('以下保护将失去作用：漏电动作值')
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
})

const view = (page: Page, name: string) =>
  page.getByRole('group', { name: '视图' }).getByRole('button', { name, exact: true }).click()

/** Says why, and where a protection is bypassed, for how long; nothing else may be asked. */
async function send(page: Page, bypassed?: string): Promise<void> {
  const dialog: Locator = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '整定调整' }).click()
  if (bypassed) {
    await expect(dialog).toContainText(`以下保护将失去作用：${bypassed}`)
    await dialog.getByLabel('持续时间').selectOption({ label: '30 分钟' })
  }
  await dialog.getByRole('button', { name: '下发', exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

async function setOverloadDelay(page: Page, seconds: string): Promise<void> {
  await page.getByRole('textbox', { name: '过载延时' }).fill(seconds)
  await page.getByRole('button', { name: '下发', exact: true }).click()
  await send(page)
  await expect(page.getByRole('region', { name: '本次下发' })).toContainText('1 已回报')
}

async function addTemplate(stack: Stack, Name: string, wanted: Record<string, number>): Promise<void> {
  const client = await signedIn(stack.url, stack.admin)
  const Settings = Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }))
  await client.call(insertTemplate, { body: { Name, Family: 'breaker1p', Settings } })
}

test('what stands against a line is shown before anything is sent; what came up meanwhile is shown at its line', async ({
  page,
  stack,
}) => {
  const client = await signedIn(stack.url, stack.admin)
  const device = [...stack.server.plant.deviceByControllerId.values()].find(
    ({ family, lines }) => family.key === 'breaker1p' && lines.size > 3,
  )
  const [free, tagged, later] = [...(device?.lines.values() ?? [])]
  if (!device || !free || !tagged || !later) throw new Error('the fleet has no such breaker')
  const house = device.gateway.project.id
  const tag = ({ lineNo }: typeof tagged, Reason: string) =>
    client.call(placeTag, {
      params: { ControllerID: device.controllerId, LineNo: lineNo },
      body: { TagID: crypto.randomUUID(), Kind: 'tag', Reason },
    })
  await tag(tagged, '更换电缆头')
  await page.goto(`/devmon/params?at=line:${house}:${tagged.id}`)
  await page.getByRole('textbox', { name: '过载延时' }).fill('34')
  const willSend = page.getByRole('region', { name: '将要下发' })
  await expect(willSend).toContainText(/更换电缆头/)
  await expect(willSend.getByRole('button', { name: '下发' })).toBeDisabled()
  await willSend.getByRole('button', { name: '放弃' }).click()

  await page.goto(`/devmon/params?view=copy&at=line:${house}:${free.id}`)
  for (const { name } of [tagged, later])
    await page
      .getByRole('checkbox', { name: new RegExp(`^${name}`) })
      .first()
      .check()
  await page.getByRole('button', { name: '下发到 2 路' }).click()
  const dialog = page.getByRole('dialog', { name: '下发到 1 路' })
  await expect(dialog).toContainText('以下 1 条线路当前不能下发')
  await expect(dialog).toContainText(tagged.name)
  await expect(dialog).toContainText('更换电缆头')
  await tag(later, '更换断路器')
  await dialog.getByRole('button', { name: '整定调整' }).click()
  await dialog.getByRole('button', { name: '下发' }).click()
  const results = page.getByRole('region', { name: '本次下发' })
  await expect(results).toContainText('0 已回报，0 等待，1 未生效')
  await expect(results).toContainText(later.name)
  await expect(results).toContainText('更换断路器')
  await expect(results).not.toContainText(tagged.name)
})
