import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { zipSync } from 'fflate'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.beforeEach(async ({ page, stack }) => {
  await keepSession(page, stack)
})

const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label)

async function addProject(page: Page, name: string): Promise<void> {
  await page.goto('/system/project')
  await page.getByRole('button', { name: '新增项目' }).click()
  await field(page, '项目名称').fill(name)
  await field(page, '负责人').fill('王工')
  await field(page, '联系电话').fill('13800000001')
  await field(page, '省').selectOption('浙江省')
  await field(page, '市').selectOption('杭州市')
  await field(page, '区县').selectOption('西湖区')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function pick(page: Page, label: string, option: string): Promise<void> {
  await field(page, label).fill(option)
  await page.getByRole('option', { name: option }).click()
}

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path())
}

test('a project needs its name, person, phone and place; it is added, found, moved and deleted', async ({ page }) => {
  await page.goto('/system/project')
  await page.getByRole('button', { name: '新增项目' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  for (const missing of ['项目名称不能为空', '负责人不能为空', '联系电话不能为空', '请选择省', '请选择市', '请选择区县'])
    await expect(page.getByText(missing)).toBeVisible()
  await page.keyboard.press('Escape')

  await addProject(page, '西溪园区')
  await page.getByRole('searchbox', { name: '项目名称' }).fill('西溪')
  const row = page.getByRole('row', { name: /西溪园区/ })
  await expect(row).toContainText('浙江省 杭州市 西湖区')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect.poll(() => new URL(page.url()).searchParams.get('HouseName')).toBe('西溪')

  await row.getByRole('button', { name: '编辑' }).click()
  await pick(page, '时区', 'Europe/Berlin')
  await field(page, '监控中心编码').fill('CC-77')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await expect(row).toContainText('Europe/Berlin')

  await row.getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})

test('a project with gateways cannot be deleted, and says why', async ({ page }) => {
  await page.goto('/system/project')
  const button = page.getByRole('row', { name: /望湖小区/ }).getByRole('button', { name: '删除' })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAttribute('title', /网关/)
})

test('a gateway is added with a checked IMEI, shows its secret once, is disabled, migrated and deleted', async ({ page }) => {
  await addProject(page, '网关测试')
  await page.goto('/system/geteway')
  await page.getByRole('button', { name: '新增网关' }).click()
  await pick(page, '所属项目', '网关测试')
  await page.getByRole('dialog').getByRole('button', { name: '自动编号' }).click()
  await expect(field(page, '网关编号')).not.toHaveValue('')
  await field(page, '网关名称').fill('东楼网关')
  await field(page, 'IMEI').fill('490154203237519')
  await field(page, '对接平台').selectOption('json')
  await field(page, '设备类型').selectOption('4G')
  const submit = page.getByRole('dialog').getByRole('button', { name: '新增网关' })
  await submit.click()
  await expect(page.getByText(/校验位/)).toBeVisible()
  await field(page, 'IMEI').fill('490154203237518')
  await submit.click()

  const secret = page.getByRole('dialog', { name: /连接信息/ })
  await expect(secret).toContainText('密钥只显示这一次')
  await expect(secret).toContainText(/mqtt:\/\/127\.0\.0\.1:\d+/)
  await page.keyboard.press('Escape')
  await expect(secret).toBeVisible()
  await secret.getByRole('button', { name: '已保存，关闭' }).click()

  await page.getByRole('searchbox', { name: '网关名称' }).fill('东楼')
  const row = page.getByRole('row', { name: /东楼网关/ })
  await expect(row).toContainText('从未上线')
  await row.getByRole('button', { name: '停用' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click()
  await expect(row).toContainText('已停用')

  await row.getByRole('checkbox').check()
  await page.getByRole('group', { name: '已选 1 项' }).getByRole('button', { name: '迁移' }).click()
  await pick(page, '迁移到项目', '望湖小区')
  await page.getByRole('dialog').getByRole('button', { name: '迁移' }).click()
  await expect(row).toContainText('望湖小区')

  await row.getByRole('button', { name: '查看网关' }).click()
  await expect(page.getByText('等待网关首次上线')).toBeVisible()
  await page.getByRole('dialog', { name: '东楼网关' }).getByRole('button', { name: '删除' }).click()
  await page
    .getByRole('dialog', { name: /删除网关/ })
    .getByRole('button', { name: '删除' })
    .click()
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})

test('an offline gateway says since when, and a line gets another name from the drawer', async ({ page, stack }) => {
  const gateway = [...stack.fleet.gateways.values()].at(-1)
  if (!gateway) throw new Error('the fleet has no gateway')
  await page.goto(`/system/geteway?Number=${gateway.number}`)
  const row = page.getByRole('row', { name: new RegExp(gateway.number) })
  await expect(row).toContainText(/在线/)
  gateway.disconnectAbruptly()
  await expect(row).toContainText(/离线\s*自/)
  await gateway.reconnect()
  await row.getByRole('button', { name: '查看网关' }).click()
  const drawer = page.getByRole('region', { name: '设备与线路' })
  await drawer.getByRole('button', { name: /^改名/ }).first().click()
  await page.getByLabel('线路名称').fill('改过名的线路')
  await page.getByRole('button', { name: '保存' }).click()
  await drawer.getByRole('link', { name: '改过名的线路' }).click()
  // Whoever stands before the live page need not go to the gateway for it.
  const line = page.getByRole('dialog', { name: '改过名的线路', exact: true })
  await line.getByRole('button', { name: '线路改名' }).click()
  await page.getByLabel('线路名称').fill('又一个名称')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('dialog', { name: '又一个名称' }).getByRole('heading', { name: '又一个名称' })).toBeVisible()
})

test('gateways are imported from the template: a dry run names each bad cell, the good rows come in', async ({ page }) => {
  await addProject(page, '导入测试')
  await page.goto('/system/geteway')
  await page.getByRole('button', { name: '批量导入' }).click()
  const dialog = page.getByRole('dialog', { name: '批量导入网关' })
  const template = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '下载模板' }).click()
  expect((await bytesOf(await template)).subarray(0, 2).toString()).toBe('PK')

  const { read, utils, write } = await import('@e965/xlsx')
  const book = utils.book_new()
  const head = ['网关编号', '网关名称', 'IMEI', '对接平台', '设备类型', '备注']
  const rows = [
    ['IMP-1', '一号', '356938035643809', 'json', '4G', ''],
    ['IMP-2', '二号', '356938035643808', 'json', '5G', ''],
    ['GW-WH-01', '三号', '353879234252633', 'sparkplug', 'NB', '=1+1'],
    ['IMP-4', '四号', '490154203237518', 'json', '4G', '注'.repeat(201)],
    ['IMP-5', '', '867530000000016', 'json', '4G', ''],
  ]
  const sheet = utils.aoa_to_sheet([head, ...rows])
  sheet.B6 = { t: 's', f: 'CONCATENATE("五","号")', v: '五号' }
  utils.book_append_sheet(book, sheet, '网关')
  const buffer: Buffer = write(book, { type: 'buffer', bookType: 'xlsx' })
  const input = dialog.locator('input[type=file]')

  await pick(page, '导入到项目', '导入测试')
  const sheetOf = (...lines: string[][]): Buffer => {
    const made = utils.book_new()
    utils.book_append_sheet(made, utils.aoa_to_sheet(lines), 'x')
    return write(made, { type: 'buffer', bookType: 'xlsx', compression: true })
  }
  const bomb = Buffer.from(zipSync({ 'xl/workbook.xml': new Uint8Array(60 * 1024 * 1024) }))
  for (const [name, file, refusal] of [
    ['list.csv', Buffer.from('a,b'), '只支持 xls 或 xlsx 文件'],
    ['list.xls', Buffer.from('a,b'), '只支持 xls 或 xlsx 文件'],
    ['list.xlsx', buffer.subarray(0, -30), '文件已损坏或有密码，无法读取'],
    ['list.xlsx', sheetOf(head.slice(1), ['一号']), '表头与模板不一致，请使用下载的模板'],
    ['list.xlsx', sheetOf(head), '文件中没有数据'],
    ['list.xlsx', sheetOf(head, ...Array.from({ length: 201 }, (_, i) => [`IMP-${i}`])), '数据超过 200 行，请分成多个文件'],
    ['list.xlsx', bomb, '文件过大：不超过 5 MB，解压后不超过 50 MB'],
  ] as const) {
    await input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: file })
    await expect(dialog.getByRole('alert')).toHaveText(refusal)
  }
  // Whoever reads it never answers.
  await page.clock.install()
  await page.route(/workbook\.worker/, () => {})
  // The reader and its time limit begin together.
  const begun = page.waitForRequest(/workbook\.worker/)
  await input.setInputFiles({ name: 'list.xlsx', mimeType: 'application/octet-stream', buffer })
  await expect(dialog.getByRole('status')).toHaveText('正在读取并检查…')
  await begun
  await page.clock.fastForward(10_000)
  await expect(dialog.getByRole('alert')).toHaveText('10 秒内未能读完该文件，已停止')
  await page.unroute(/workbook\.worker/)
  await input.setInputFiles({ name: 'list.xlsx', mimeType: 'application/octet-stream', buffer })
  await expect(dialog).toContainText('共 5 行：1 行可导入，4 行有误')
  const second = dialog.getByRole('row', { name: /IMP-2/ })
  await expect(second).toContainText('IMEI: IMEI 应为 15 位数字')
  await expect(second).toContainText('设备类型: 只能是')
  await expect(dialog.getByRole('row', { name: /GW-WH-01/ })).toContainText('网关编号: 已被占用')
  await expect(dialog.getByRole('row', { name: /IMP-4/ })).toContainText('备注: 备注不能超过 200 个字符')
  await expect(dialog.getByRole('row', { name: /IMP-5/ })).toContainText('网关名称: 单元格是公式')

  await dialog.getByRole('button', { name: '导入 1 个网关' }).click()
  await expect(dialog).toContainText('已导入 1 个网关')
  // What did not come in can still be taken along, whole.
  const bad = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '下载有误的行' }).click()
  const left = await bad
  expect(left.suggestedFilename()).toContain('有误')
  const [leftSheet] = Object.values(read(await bytesOf(left)).Sheets)
  const leftRows: string[][] = utils.sheet_to_json(leftSheet ?? {}, { header: 1 })
  expect(leftRows.map(([number]) => number)).toEqual(['网关编号', 'IMP-2', 'GW-WH-01', 'IMP-4', 'IMP-5'])
  expect(leftRows[3]?.[5]).toBe('注'.repeat(201))
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  const secrets = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '下载密钥' }).click()
  expect((await bytesOf(await secrets)).length).toBeGreaterThan(1_000)
  await dialog.getByRole('button', { name: '关闭' }).click()
  await page.getByRole('searchbox', { name: '网关编号' }).fill('IMP')
  await expect(page.getByRole('row', { name: /IMP-1/ })).toContainText('导入测试')
})

test('the ledger prints a label for each line of the chosen devices, and the device list leads to the live page', async ({
  page,
}) => {
  await page.goto('/system/report/account')
  const row = page.getByRole('row', { name: /BJ01-T1/ })
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: '打印标签' }).click()
  const labels = page.getByRole('dialog', { name: '设备标签' })
  await expect(labels.getByRole('listitem')).toHaveCount(4)
  const link = await labels.getByRole('img').first().getAttribute('aria-label')
  await page.goto(link ?? '')
  await expect(page.getByRole('dialog', { name: '1层总开关' })).toBeVisible()

  await page.goto('/system/devLists?Name=BJ01')
  await page.getByRole('link', { name: '三相断路器组' }).click()
  await expect(page.getByRole('row', { name: '1层总开关' })).toBeVisible()
})

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const)
  test(`no administration page is wider than a screen of ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    for (const path of ['project', 'geteway', 'devLists', 'report/account', 'city']) {
      await page.goto(`/system/${path}`)
      await expect(page.getByRole('table')).toBeVisible()
      await expect(page.getByRole('main')).toContainText(/共 \d+ 条/)
      const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect(over, path).toBe(0)
    }
  })
