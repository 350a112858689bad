import { hourMs } from '@linewarden/equipment'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } } })

/** Midnight in Shanghai of 10 January 2025. */
const start = Date.UTC(2025, 0, 9, 16)
let houseId = 0

async function made({ server }: Stack): Promise<void> {
  const client = await server.database.connect()
  try {
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
}

/** A day of 10 and 4 kWh an hour; of the second line six hours are missing, and its register began at nought again meanwhile. */
async function stored(stack: Stack): Promise<void> {
  if (houseId !== 0) return
  const lineOf = (lineNo: number) => stack.server.plant.lineAt('A-T1', lineNo)?.id ?? 0
  const client = await stack.server.database.connect()
  try {
    const ids = [lineOf(1), lineOf(2)]
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, case when line_id = ($2::int[])[2] and at <= $1::timestamptz + interval '6 hours' then 90000 else 0 end + pace * extract(epoch from at - $1::timestamptz) / 3600
       from unnest($2::int[], '{10,4}'::float8[]) as t (line_id, pace), generate_series($1::timestamptz, $1::timestamptz + interval '24 hours', '5 min') as at
       where line_id <> ($2::int[])[2] or at <= $1::timestamptz + interval '6 hours' or at >= $1::timestamptz + interval '12 hours'`,
      [new Date(start), ids],
    )
    await client.query('insert into energy_due (line_id, starts, ends) select id, $2, $3 from unnest($1::int[]) as t (id)', [
      ids,
      new Date(start),
      new Date(start + 24 * hourMs),
    ])
  } finally {
    await client.end()
  }
  await made(stack)
  houseId = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
}

test.beforeEach(async ({ page, stack }) => {
  await stored(stack)
  await keepSession(page, stack)
})

const address = (more: string) => `/energyStatistics/energy?at=house:${houseId}&unit=hour&day=2025-01-10${more}`

test('a register read at the cabinet is entered, refused where it does not fit, and undone', async ({
  page,
  stack,
  problems,
}) => {
  forgive(problems, /400/)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(address('&tab=settings&part=fixes'))
  const part = page.getByRole('region', { name: '抄表读数' })
  await expect(part).toContainText('没有抄表读数')
  await part.getByRole('button', { name: '录入抄表读数' }).click()
  const dialog = page.getByRole('dialog', { name: '录入抄表读数' })
  await dialog.getByRole('combobox', { name: '线路' }).fill('A线2')
  await page.getByRole('option', { name: /A线2/ }).click()
  await dialog.getByLabel('抄表时间').fill('2025-01-10 09:05')
  await dialog.getByLabel(/^表码/).fill('80000')
  await dialog.getByLabel('原因').fill('到柜抄表')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toContainText('小于前一读数 90024 kWh（2025-01-10 06:00）')
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel(/^表码/).fill('90030.5')
  await dialog.getByRole('button', { name: '保存' }).click()
  const card = part.getByRole('listitem', { name: 'A线2', exact: true })
  await expect(card).toContainText('2025-01-10 09:05')
  await expect(card).toContainText('90,030.500 kWh')
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(await tooWide(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('hand-reading.png') })
  await made(stack)
  await page.goto(address(''))
  await expect(page.getByRole('row', { name: /2025-01-10 07:00/ })).not.toContainText('无数据')
  await page.goto(address('&tab=settings&part=fixes'))
  await card.getByRole('button', { name: '撤销' }).click()
  const undo = page.getByRole('dialog', { name: '撤销抄表读数' })
  await undo.getByLabel('原因').fill('抄错')
  await undo.getByRole('button', { name: '撤销' }).click()
  await expect(card.getByRole('button', { name: '撤销' })).toHaveCount(0)
  await made(stack)
})

test('energy that is missing is entered, is marked where it counts, and is undone', async ({ page, stack }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(address('&tab=settings&part=fixes'))
  await page.getByRole('button', { name: '录入补量' }).click()
  const dialog = page.getByRole('dialog', { name: '录入补量' })
  await dialog.getByRole('combobox', { name: '线路' }).fill('A线2')
  await page.getByRole('option', { name: /A线2/ }).click()
  await dialog.getByLabel('开始').fill('2025-01-10 06:00')
  await dialog.getByLabel('结束').fill('2025-01-10 12:10')
  await dialog.getByLabel('电量').fill('30')
  await dialog.getByLabel('原因').fill('按电工抄表')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toContainText('请填写整刻时间')
  await dialog.getByLabel('结束').fill('2025-01-10 12:00')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: '保存' }).click()
  const part = page.getByRole('region', { name: '补量', exact: true })
  const card = part.getByRole('listitem', { name: 'A线2', exact: true })
  await expect(card).toContainText('30.000 kWh')
  await expect(card).toContainText('按电工抄表')
  await made(stack)
  await page.goto(address(''))
  await expect(page.getByRole('row', { name: /2025-01-10 07:00/ })).toContainText('含录入')
  await expect(page.getByText('录入、估算')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.goto(address('&tab=settings&part=fixes'))
  await card.getByRole('button', { name: '撤销' }).click()
  const undo = page.getByRole('dialog', { name: '撤销补量' })
  await undo.getByLabel('原因').fill('录错')
  await undo.getByRole('button', { name: '撤销' }).click()
  await expect(card).toContainText('撤销')
  await expect(card.getByRole('button', { name: '撤销' })).toHaveCount(0)
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
})

test('a virtual meter is made of lines, and its energy and load are shown in place of the project', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(address('&tab=settings&part=virtual'))
  await page.getByRole('button', { name: '新建虚拟表' }).click()
  const dialog = page.getByRole('dialog', { name: '新建虚拟表' })
  await dialog.getByLabel('名称').fill('动力')
  for (const name of ['A线1', 'A线2']) {
    await dialog.getByRole('combobox', { name: '组成' }).fill(name)
    await page.getByRole('option', { name: new RegExp(name) }).click()
  }
  await dialog.getByLabel('A线2 的系数').fill('-1')
  await dialog.getByLabel('启用日期').fill('2025-01-01')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: '保存' }).click()
  const card = page.getByRole('listitem', { name: '动力', exact: true })
  await expect(card).toContainText('−1 × A线2')
  await card.getByRole('link', { name: '查看用电' }).click()
  await page.goto(`${page.url()}&unit=hour&day=2025-01-10`)
  await expect(page.getByRole('row', { name: /2025-01-10 03:00/ })).toContainText('6.0')
  await expect(page.getByText('虚拟表：按刻由各项乘以系数相加')).toBeVisible()
  await page.getByRole('tab', { name: '负荷' }).click()
  await expect(page.getByText('虚拟表：按刻由各项乘以系数相加')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('combobox', { name: '项目合计' }).selectOption('项目合计')
  await expect(page.getByText('虚拟表：按刻由各项乘以系数相加')).toHaveCount(0)
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
})
