import { listSupplies, listTariffs } from '@linewarden/contract'
import { smallPlan } from '../../kit/small-plan.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, fleet: { ticking: false } } })

test.beforeEach(({ page, stack }) => keepSession(page, stack))

test('a tariff is made, its day is painted, its prices are typed; published, a supply has it', async ({ page, stack }) => {
  const HouseID = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/energyStatistics/energy?at=house:${HouseID}`)
  await page.getByRole('tab', { name: '设置' }).click()
  await page.getByRole('button', { name: '电价', exact: true }).click()
  await page.getByRole('button', { name: '新建电价' }).click()
  await page.getByRole('dialog').getByLabel('名称').fill('工商业两部制')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '新建版本' }).click()
  await page.getByLabel(/^生效日期/).fill('2026-01-01')
  const checks = page.getByRole('region', { name: '发布检查' })
  await expect(checks).toContainText('请填写依据')
  await page.getByLabel(/^依据/).fill('苏发改价格发〔2026〕1018 号')

  // By the pointer from one place of the strip to another, and by the keyboard.
  await page.getByRole('button', { name: '峰', exact: true }).click()
  const workday = page.getByRole('slider', { name: '第 1 季 工作日' })
  await workday.scrollIntoViewIfNeeded()
  const box = await workday.boundingBox()
  if (!box) throw new Error('the strip is drawn')
  const x = (quarter: number) => box.x + ((quarter + 0.5) / 96) * box.width
  const y = box.y + box.height / 2
  await page.mouse.move(x(34), y)
  await page.mouse.down()
  await page.mouse.move(x(45), y, { steps: 4 })
  await page.mouse.up()
  await expect(workday).toHaveAttribute('title', '00:00–08:30 平，08:30–11:30 峰，11:30–24:00 平')
  const sunday = page.getByRole('slider', { name: '第 1 季 周日' })
  await page.getByRole('button', { name: '谷', exact: true }).click()
  await sunday.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+PageUp')
  await expect(sunday).toHaveAttribute('title', '00:00–01:15 谷，01:15–24:00 平')
  // And by typing, over midnight.
  await page.getByLabel('从', { exact: true }).fill('22:00')
  await page.getByLabel('到', { exact: true }).fill('06:00')
  await page.getByLabel('日类型').selectOption('节假日')
  await page.getByRole('button', { name: '设为谷' }).click()
  await expect(page.getByRole('slider', { name: '第 1 季 节假日' })).toHaveAttribute(
    'title',
    '00:00–06:00 谷，06:00–22:00 平，22:00–24:00 谷',
  )

  await expect(checks).toContainText('“代理购电”尖段的价格须为数字')
  for (const band of ['尖', '峰', '平', '谷', '深谷'])
    await page.getByLabel(`代理购电${band}段的价格`, { exact: true }).fill('0.5')
  for (const name of ['上网环节线损', '输配电', '系统运行费', '政府性基金及附加'])
    await page.getByLabel(`${name}的价格`).fill('0.01')
  await expect(page.getByText('峰 0.5400')).toBeVisible()
  await expect(checks).toContainText('检查通过，可以发布')
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: '保存草稿' }).click()
  await expect(page.getByText('还没有供电点使用此电价，无法试算。请先在供电点中选择它。')).toBeVisible()
  await page.getByRole('button', { name: '发布', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '发布' }).click()
  await expect(page.getByText('SHA-256')).toBeVisible()
  const { items } = await stack.client.call(listTariffs, { query: { HouseID } })
  expect(items[0]?.Versions).toMatchObject([
    { From: '2026-01-01', Superseded: false, Sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ])

  await page.getByRole('button', { name: '供电点', exact: true }).click()
  await page.getByRole('button', { name: '新建供电点' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^名称/).fill('一号进线')
  await dialog.getByLabel(/^进线/).fill('A线1')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('申报需量').fill('400.5')
  await dialog.getByRole('button', { name: '选择电价' }).click()
  await dialog.getByLabel('电价 1', { exact: true }).selectOption('工商业两部制')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('listitem', { name: '一号进线' })).toContainText('申报需量 400.5 kW')
  expect((await stack.client.call(listSupplies, { query: { HouseID } })).items).toMatchObject([
    { DeclaredW: 400_500, Members: [{ Name: 'A线1', Sign: 1 }], Tariffs: [{ TariffID: items[0]?.TariffID, From: null }] },
  ])
})

test('in English, on a phone', async ({ page, stack }) => {
  const HouseID = stack.server.plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(`/energyStatistics/energy?at=house:${HouseID}&tab=settings&part=tariffs`)
  await page.getByRole('button', { name: 'Add tariff' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Two-part')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'New version' }).click()
  await expect(page.getByRole('region', { name: 'Checks before publishing' })).toContainText('Say what it follows')
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
})
