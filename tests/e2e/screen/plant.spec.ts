import { saveTopology, setFeed } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { ofTheNetwork, test } from '../on-weak-network.ts'
import { stopTime } from '../page-time.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

let houseId = 0

/** Lines 1 and 2 are incomers with a tie, line 8, between their buses; 1 feeds 3 to 5, and 2 feeds 6 and 7. */
async function entered({ server, client }: Stack): Promise<void> {
  if (houseId !== 0) return
  const lineOf = (lineNo: number) => server.plant.lineAt('A-T1', lineNo)?.id ?? 0
  const HouseID = server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  for (const [fed, feeder] of [
    [3, 1],
    [4, 1],
    [5, 1],
    [6, 2],
    [7, 2],
  ] as const)
    await client.call(setFeed, {
      params: { ControllerID: 'A-T1', LineNo: fed },
      body: { FedBy: { ControllerID: 'A-T1', LineNo: feeder }, Was: null },
    })
  const source = (SourceID: number) => ({
    ...{ SourceID, Kind: 'grid' as const, Name: '市电', LineIDs: [lineOf(SourceID)] },
    Transformer: { Name: `T${SourceID}`, Kva: 1_000, HighKv: 10, LowKv: 0.4 },
  })
  const [BusA, BusB] = [`line:${lineOf(1)}`, `line:${lineOf(2)}`]
  await client.call(saveTopology, {
    params: { HouseID },
    body: {
      Sources: [source(1), source(2)],
      Buses: [
        { Bus: BusA, Name: '0.4 kV I 段' },
        { Bus: BusB, Name: '0.4 kV II 段' },
      ],
      Ties: [{ LineID: lineOf(8), BusA, BusB }],
      Version: 0,
    },
  })
  houseId = HouseID
}

const open = async (page: Page, url: string) => {
  await page.goto(`${url}/bigScreen/home/${houseId}`)
  await expect(page.getByRole('group', { name: '供电单线图', exact: true })).toBeVisible()
}

test('the diagram has its transformers, buses, tie and figures; a trip moves its own blade, and what hangs behind it is dead', async ({
  page,
  network,
  stack,
}) => {
  await entered(stack)
  await open(page, network.url)
  await expect(page.getByRole('heading', { name: '项目A · 供电单线图' })).toBeVisible()
  const diagram = page.locator('.diagram')
  for (const text of ['T1　1000 kVA', '10 / 0.4 kV', '母联 合闸']) await expect(diagram.getByText(text).first()).toBeVisible()
  await expect(diagram.getByText(/0\.4 kV I 段　馈线合计 \d/)).toBeVisible()
  const line = page.getByRole('link', { name: /^A线3 / })
  await expect(line).toHaveAccessibleName(/合闸 · .* kW$/)
  await expect(page.locator('.wall-legend')).toContainText('图上 8 路 + 折叠 0 路 = 8 路')
  expect(await violationsInBothThemes(page)).toEqual([])
  stack.fleet.run('leakageTrip', { controllerId: 'A-T1', lineNo: 3 })
  await expect(line).toHaveAccessibleName(/脱扣 · 漏电/)
  await expect(line.locator('.wire').last()).toHaveClass(/dead/)
  await expect(line.locator('.wire').first()).toHaveClass(/live/)
  await expect(page.getByRole('alert', { name: '报警接管', exact: true })).toContainText('A线3')
  await line.click()
  await expect(page).toHaveURL(/bigScreen\/detail\/A-T1/)
})

test('whoever may change the project enters its transformer, and it stands in the diagram of everybody', async ({
  page,
  network,
  stack,
}) => {
  await entered(stack)
  const other = stack.server.plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
  await page.goto(`${network.url}/bigScreen/home/${other}`)
  await page.getByRole('button', { name: '供电接线' }).click()
  const dialog = page.getByRole('dialog', { name: '供电接线' })
  await dialog.getByLabel('变压器名称').fill('T7')
  await dialog.getByLabel('额定容量').fill('六百')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByRole('alert')).toContainText('大于零')
  await dialog.getByLabel('额定容量').fill('630')
  await dialog.getByLabel('母线名称').fill('0.4 kV 总母线')
  expect(await violationsInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toBeHidden()
  for (const text of ['T7　630 kVA', '0.4 kV 总母线']) await expect(page.locator('.diagram').getByText(text)).toBeVisible()
})

test('a picture that has stopped says so over its whole width, since when, and takes no colour; it goes on by itself', async ({
  page,
  network,
  stack,
  problems,
}) => {
  await entered(stack)
  await page.clock.install()
  await open(page, network.url)
  const band = page.getByRole('alert').filter({ hasText: '画面已停在' })
  await expect(page.locator('.link-state')).toContainText('链路正常')
  await stopTime(page)
  network.sleep()
  await page.clock.runFor(15_000)
  await expect(band).toBeHidden()
  await page.clock.runFor(12_000)
  await expect(band).toContainText('画面已停在')
  await expect(page.locator('.wall')).toHaveClass(/stopped/)
  await page.clock.runFor(300_000)
  await expect(page.locator('.wall')).toHaveClass(/old/)
  network.wake()
  await page.clock.resume()
  await expect(band).toBeHidden()
  await expect(page.locator('.link-state')).toContainText('链路正常')
  forgive(problems, ofTheNetwork)
})

test('on a phone it is a list by what feeds what; a project that is not there is not hinted at', async ({
  page,
  stack,
  network,
  problems,
}) => {
  await entered(stack)
  await keepSession(page, { url: network.url, admin: stack.admin })
  await page.setViewportSize(phone)
  await page.goto(`${network.url}/bigScreen/home/${houseId}`)
  await expect(page.getByRole('link', { name: /A线1/ })).toBeVisible()
  await expect(page.getByRole('listitem').nth(1)).toContainText('A线3')
  expect(await tooWide(page)).toEqual([])
  for (const id of ['999999', 'x', '0']) {
    await page.goto(`${network.url}/bigScreen/home/${id}`)
    await expect(page.getByText('此项目不在本大屏范围')).toBeVisible()
  }
  forgive(problems, /404 \(Not Found\)/)
})
