import type { Page } from '@playwright/test'
import { everyModelPlan } from '../../kit/every-family-plan.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

// The settings form follows the family and the model. One device of each model stands in the field.
test.use({ options: { plan: everyModelPlan } })

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

test.beforeEach(async ({ page, stack }) => {
  await keepSession(page, stack)
})

/** The form of a device's only line. */
async function openForm(page: Page, stack: Stack, controllerId: string): Promise<void> {
  const house = stack.server.plant.deviceByControllerId.get(controllerId)?.gateway.project.id
  await page.goto(`/devmon/params?${new URLSearchParams({ at: `device:${house}:${controllerId}` })}`)
  await expect(page.getByRole('table', { name: '参数设置' })).toBeVisible()
}
const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: '参数设置' }).getByRole('row', { name: new RegExp(name) })

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: '下发', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '检修需要' }).click()
  await dialog.getByRole('button', { name: '下发', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('region', { name: '本次下发' })).toContainText('1 已回报，0 等待，0 未生效')
}

test('an alarm switch of a detector is off for a while only, says what comes back when, and is switched on again', async ({
  page,
  stack,
}) => {
  const id = 'detectorRs-TCQ-RS'
  const enabled = () => stack.fleet.gatewayOf(id).detector(id).settings.get('residual.enabled')
  await openForm(page, stack, id)
  const name = '剩余电流报警开关'
  const choice = page.getByRole('combobox', { name })
  await expect(choice).toHaveValue('1')
  await choice.selectOption({ label: '关' })
  await page.getByRole('button', { name: '下发', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`以下保护将失去作用：${name}`)
  await dialog.getByLabel('持续时间').selectOption({ label: '10 分钟' })
  await dialog.getByRole('button', { name: '检修需要' }).click()
  await dialog.getByRole('button', { name: '下发', exact: true }).click()
  await expect(rowOf(page, name)).toContainText(/至 .* 恢复 开/)
  await expect(choice).toHaveValue('0')
  expect(enabled()).toBe(0)
  await page.getByRole('button', { name: '变更记录' }).click()
  const newest = page.getByRole('table', { name: '变更记录' }).getByRole('row').nth(1)
  await expect(newest).toContainText(`${name} 开 → 关`)
  await newest.getByRole('button', { name: '回退' }).click()
  await expect(dialog.getByRole('row', { name: new RegExp(name) })).toContainText(/关→改为开/)
  await dialog.getByRole('button', { name: '检修需要' }).click()
  await dialog.getByRole('button', { name: '下发', exact: true }).click()
  await expect(newest).toContainText(`${name} 关 → 开`)
  await expect(newest).toContainText('已回报')
  expect(enabled()).toBe(1)
  // And what was off before is not switched off by taking a change back without an end either.
  await newest.getByRole('button', { name: '回退' }).click()
  await expect(dialog).toContainText(`以下保护将失去作用：${name}`)
  await expect(dialog.getByLabel('持续时间')).toBeVisible()
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const [id, key, name, range, wrong, good, hint] of [
  // 48 V direct current.
  ['breaker1p-1P_Z', 'overvoltage', '过压保护', '58 – 60 V', '265', '59', '应为 58–60 V'],
  ['breaker3p-3P_H', 'overvoltage', '过压保护', '0 – 500 V', '501', '420', '应为 0–500 V'],
  ['breaker3p-3PN_S', 'undervoltage', '欠压保护', '120 – 195 V', '200', '180', '应为 120–195 V'],
] as const)
  test(`${id}: the form has the range of the model, and the value counts once it is reported`, async ({ page, stack }) => {
    await openForm(page, stack, id)
    const row = rowOf(page, name)
    await expect(row).toContainText(range)
    const field = page.getByRole('textbox', { name })
    await field.fill(wrong)
    await expect(row.getByRole('alert')).toHaveText(hint)
    await expect(page.getByRole('button', { name: /先改正/ })).toBeDisabled()
    await field.fill(good)
    await send(page)
    await expect(row).toContainText(`${good} V`)
    await expect(row).toContainText('一致')
    expect(stack.fleet.gatewayOf(id).line(id, 1).settings.get(key)).toBe(Number(good))
  })
