import { draftStatement, issueStatement } from '@linewarden/contract'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { addSupply, storeSpring } from '../../kit/statement-house.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { isA4, pagesOf } from '../pdf-pages.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, fleet: { ticking: false } } })

let houseId = 0
let supplyId = 0

/** Spring 2025 of two supplies; of one, a day of April is missing. */
async function stored({ server, client }: Stack): Promise<void> {
  if (houseId !== 0) return
  const lines = [1, 2].flatMap((lineNo) => server.plant.lineAt('A-T1', lineNo)?.id ?? [])
  houseId = server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  await storeSpring(server, lines)
  const db = await server.database.connect()
  try {
    await db.query("update energy_quarter set wh = array_fill(null::int, array[96]) where line_id = $1 and day = '2025-04-10'", [
      lines[1],
    ])
  } finally {
    await db.end()
  }
  const [first = 0, second = 0] = lines
  const made = await addSupply(client, houseId, [first], { Name: '一厂区', AccountNo: '3205018644712203' })
  supplyId = made.SupplyID
  await addSupply(client, houseId, [second], { Name: '二厂区', AccountNo: '3205018644712211', From: '2025-04-01' })
}

test.beforeEach(async ({ page, stack }) => {
  await stored(stack)
  await keepSession(page, stack)
})

const address = (more = '') => `/system/report/powerReport?at=house:${houseId}&month=2025-05${more}`

test('a month is issued, verified and corrected; what cannot be issued says all that stands against it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(address())
  const table = page.getByRole('table', { name: '各月结算单' })
  const april = table.getByRole('row').filter({ hasText: '二厂区' }).nth(1)
  await expect(april).toContainText('待补 1 项')
  await expect(table.getByRole('listitem').first()).toContainText('已知电量 96.6%，低于 99%：缺 96 刻，自 04-10 08:00 起')
  const box = table.getByRole('checkbox', { name: '选择 一厂区 2025-05' })
  await box.check()
  await page.getByRole('button', { name: '签发…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '签发电费结算单' })
  await expect(dialog).toContainText('3,966 kWh')
  await dialog.getByRole('button', { name: '签发', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(table).toContainText(`P${houseId}-202505-01`)
  await expect(page.getByRole('button', { name: '已签发 1' })).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])

  await page.getByRole('link', { name: `P${houseId}-202505-01` }).click()
  const sheet = page.getByRole('article', { name: '电费结算单' })
  await expect(sheet).toContainText('人民币')
  await page.getByRole('button', { name: '验证', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: '验证一致' })).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出 PDF', exact: true }).click()
  expect((await download).suggestedFilename()).toBe(`项目A-P${houseId}-202505-01.pdf`)
  await page.getByRole('button', { name: '返回', exact: true }).click()

  await table.getByRole('checkbox', { name: '选择 一厂区 2025-05' }).check()
  await page.getByRole('button', { name: '红冲…', exact: true }).click()
  const correct = page.getByRole('dialog', { name: `红冲 P${houseId}-202505-01` })
  await correct.getByRole('button', { name: '签发后数据补传' }).click()
  await correct.getByRole('button', { name: '红冲', exact: true }).click()
  await expect(table).toContainText(`红冲 P${houseId}-202505-01`)
  await expect(table).toContainText(`由 P${houseId}-202505-02 代替`)
})

test('what is missing is issued with a reason and marked, on a phone and in English', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(address())
  const table = page.getByRole('table', { name: 'Statements by month' })
  await expect(table).toContainText('1 to mend')
  await table.getByRole('checkbox', { name: 'Select 二厂区 2025-04' }).check()
  await page.getByRole('button', { name: 'Issue with estimates…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Issue statement with estimates' })
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  await expect(dialog).toContainText('Give a reason')
  await dialog.getByRole('textbox').fill('Meter failed on 10 April')
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  await expect(dialog).toBeHidden()
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: `P${houseId}-202504-01` }).click()
  const sheet = page.getByRole('article', { name: 'Electricity statement' })
  await expect(sheet).toContainText('Issued with estimates: Meter failed on 10 April')
  await expect(sheet.getByRole('row').filter({ hasText: 'est.' }).first()).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
})

test('a statement prints on one page of A4; a project without supplies leads to where they are set', async ({ page, stack }) => {
  await page.goto(address(`&draft=${supplyId}.2025-05`))
  await expect(page.getByRole('article', { name: '电费结算单' })).toContainText('草稿，不作结算依据')
  expect(pagesOf(await page.pdf({ preferCSSPageSize: true })).map(isA4)).toEqual([true])
  const other = stack.server.plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
  await page.goto(`/system/report/powerReport?at=house:${other}`)
  await page.getByRole('button', { name: '设置供电点' }).click()
  await expect(page).toHaveURL(/tab=settings.*part=supplies/)
})

test('the bill of the utility is typed and pasted beside a statement, and each row says what differs and why', async ({
  page,
  stack,
}) => {
  const body = { HouseID: houseId, SupplyID: supplyId, Month: '2025-03' }
  const { Total } = await stack.client.call(draftStatement, { body })
  const { StatementID, Number: number } = await stack.client.call(issueStatement, {
    body: { ...body, Total: Total ?? '', Estimates: null },
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(address(`&statement=${StatementID}`))
  await page.getByRole('button', { name: '账单核对', exact: true }).click()
  await expect(page.getByRole('heading', { name: '账单核对' })).toBeVisible()
  await expect(page.getByText(`与 ${number} 逐项核对`)).toBeVisible()
  const save = page.getByRole('button', { name: '保存账单', exact: true })
  await expect(save).toBeDisabled()
  await page.getByRole('textbox', { name: '账单编号' }).fill('D-2025-03')
  await page.getByRole('button', { name: '粘贴账单…' }).click()
  const dialog = page.getByRole('dialog', { name: '粘贴账单…' })
  await dialog.getByRole('textbox', { name: '账单各行' }).fill('项目\t数量\t单价\t金额\n输配电\t1\t0.2\t9,999.00')
  await expect(dialog).toContainText('未识别：项目')
  await dialog.getByRole('button', { name: '填入', exact: true }).click()
  const table = page.getByRole('table', { name: '账单核对' })
  await table.getByRole('textbox', { name: '账单合计' }).fill('9999')
  const row = table.getByRole('row').filter({ hasText: '输配电' })
  await expect(row).toContainText('示数、倍率或时段不同；单价不同')
  await expect(table.getByRole('row').filter({ hasText: '容量电费' })).toContainText('账单没有此项')
  await save.click()
  await expect(page.getByRole('button', { name: '删除账单', exact: true })).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.reload()
  await expect(row.getByRole('textbox', { name: '输配电 账单金额' })).toHaveValue('9999.00')
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
})
