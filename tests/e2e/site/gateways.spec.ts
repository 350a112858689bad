import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { tryConnect } from '../../kit/try-connect.ts'
import { violations } from '../axe.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.beforeEach(async ({ page, stack }) => {
  await keepSession(page, stack)
})

const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label)

test('a gateway that has announced itself is claimed from the list and connects; another one is dismissed', async ({
  page,
  stack,
}) => {
  const mqttPort = stack.server.mqttPort
  for (const number of ['E2E-NEW', 'E2E-NOISE', 'E2E-NEW']) await tryConnect(mqttPort, number, 'guess')
  await page.goto('/system/geteway')
  await expect(page.getByRole('status').filter({ hasText: '2 个未登记的网关正在尝试连接' })).toBeVisible()
  await page.getByRole('button', { name: '查看待认领' }).click()
  const list = page.getByRole('dialog', { name: '待认领网关' })
  await expect(list.getByRole('row', { name: /E2E-NEW/ })).toContainText('127.0.0.1')
  expect(await violations(page)).toEqual([])
  await list.getByRole('button', { name: '忽略 E2E-NOISE' }).click()
  await expect(list.getByRole('row', { name: /E2E-NOISE/ })).toHaveCount(0)

  await list.getByRole('button', { name: '认领 E2E-NEW' }).click()
  await expect(field(page, '网关编号')).toHaveValue('E2E-NEW')
  await field(page, '所属项目').fill('望湖小区')
  await page.getByRole('option', { name: '望湖小区' }).click()
  await field(page, '网关名称').fill('认领来的网关')
  await field(page, 'IMEI').fill('353879234252633')
  await field(page, '对接平台').selectOption('json')
  await field(page, '设备类型').selectOption('4G')
  await page.getByRole('dialog').getByRole('button', { name: '新增网关' }).click()
  const secret = page.getByRole('dialog', { name: /连接信息/ })
  const shown = await secret.locator('.copy-value', { hasText: '密码（密钥）' }).locator('code').textContent()
  await secret.getByRole('button', { name: '已保存，关闭' }).click()
  await expect(page.getByText('正在尝试连接')).toHaveCount(0)

  await tryConnect(mqttPort, 'E2E-NEW', 'wrong')
  await page.getByRole('searchbox', { name: '网关名称' }).fill('认领来的')
  await page
    .getByRole('row', { name: /E2E-NEW/ })
    .getByRole('button', { name: '查看网关' })
    .click()
  const drawer = page.getByRole('dialog', { name: '认领来的网关' })
  await expect(drawer).toContainText('因密钥不正确被拒绝')
  expect(await tryConnect(mqttPort, 'E2E-NEW', shown ?? '')).toBe('in')
  await expect(drawer).not.toContainText('因密钥不正确被拒绝')
})

test('a gateway shows how strongly it hears its network, in the list and in its drawer; one that said nothing shows a dash', async ({
  page,
}) => {
  await page.goto('/system/geteway?Number=GW-WH-01')
  const row = page.getByRole('row', { name: /GW-WH-01/ })
  await expect(row).toContainText(/(很弱|较弱|良好|强)\s*-\d{2,3} dBm/)
  await row.getByRole('button', { name: '查看网关' }).click()
  await expect(page.getByRole('region', { name: '连接' })).toContainText(/-\d{2,3} dBm/)
  await page.goto('/system/geteway?Number=E2E-NEW')
  await expect(page.getByRole('row', { name: /E2E-NEW/ })).not.toContainText('dBm')
})

test('the ledger keeps warranty and service life: wrong dates are told, what ends soon is found, exported and on the label', async ({
  page,
}) => {
  const today = Date.now()
  const day = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10)
  await page.goto('/system/report/account?Name=BJ01')
  const row = page.getByRole('row', { name: /BJ01-T1/ })
  await row.getByRole('button', { name: '质保和年限' }).click()
  await field(page, '安装日期').fill('2021-05-01')
  await field(page, '质保到期').fill('2020-05-01')
  await field(page, '使用年限').fill('51')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('使用年限应为 1 至 50 年')).toBeVisible()
  await field(page, '使用年限').fill('10')
  await expect(page.getByText('质保期不能早于安装日期')).toBeVisible()
  await field(page, '质保到期').fill(day(30))
  await expect(page.getByText('使用到 2031-05-01')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toContainText(`${day(30)}即将到期`)
  await expect(row).toContainText('2031-05-01')

  await page.goto('/system/report/account')
  await page.getByLabel('全部期限').selectOption({ label: '90 天内到期' })
  await expect(page.getByRole('row', { name: /BJ01-T1/ })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  expect(await readFile(await (await exported).path(), 'utf8')).toContain(`${day(30)} 即将到期`)
  await page
    .getByRole('row', { name: /BJ01-T1/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: '打印标签' }).click()
  const label = page.getByRole('dialog', { name: '设备标签' }).getByRole('listitem').first()
  await expect(label).toContainText(`质保至 ${day(30)}`)
  await expect(label).toContainText('使用至 2031-05-01')
})

test('several devices get one warranty at once, and what was left empty stays', async ({ page }) => {
  await page.goto('/system/report/account?Name=BJ01')
  await page
    .getByRole('row', { name: /BJ01-T1/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('row', { name: /BJ01/ }).last().getByRole('checkbox').check()
  await page.getByRole('group', { name: '已选 2 项' }).getByRole('button', { name: '质保和年限' }).click()
  await field(page, '质保到期').fill('2024-03-01')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('2024-03-01')).toHaveCount(2)
  await expect(page.getByRole('row', { name: /BJ01-T1/ })).toContainText('2031-05-01')
})
