import {
  addGateway,
  addRole,
  addSharedAccount,
  editProject,
  enableGateway,
  gatewayDetails,
  listProjects,
  renameGateway,
  renameLine,
} from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { jsonGateway } from '../../kit/json-gateway.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn } from '../../kit/stack.ts'
import { tryConnect } from '../../kit/try-connect.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

/** A gateway in the hands of two people at once, its secret, and what keeps it where it is. */

let client: Stack['client']

test.beforeEach(async ({ page, stack }) => {
  client = await signedIn(stack.url, stack.admin)
  await keepSession(page, stack)
})

const projectOf = async (HouseName: string) => {
  const [project] = (await client.call(listProjects, { query: { HouseName } })).items
  if (!project) throw new Error(`no project ${HouseName}`)
  return project
}
const newGateway = async (number: string, Name: string, IMEI: string) => {
  const { HouseID } = await projectOf('望湖小区')
  const body = { HouseID, Number: number, Name, IMEI, AddMethod: 'manual', Platform: 'json', DeviceType: '4G' } as const
  return client.call(addGateway, { body })
}

async function openDrawer(page: Page, number: string): Promise<void> {
  await page.goto(`/system/geteway?Number=${number}`)
  await page
    .getByRole('row', { name: new RegExp(number) })
    .getByRole('button', { name: '查看网关' })
    .click()
}
/** The drawer has read the gateway again, and shows this name. */
const shownAs = (page: Page, name: string) => expect(page.locator('.drawer > header h2')).toHaveText(name)

test('who saves a gateway after somebody else is told so, and what the other has written stays', async ({ page, problems }) => {
  const { Gateway } = await newGateway('E2E-TWO', '两人柜', '356938035643809')
  const params = { DeviceID: Gateway.DeviceID }
  await openDrawer(page, 'E2E-TWO')
  await page.locator('.gateway-foot').getByRole('button', { name: '改名' }).click()
  const dialog = page.getByRole('dialog', { name: '修改网关' })
  await dialog.getByLabel('备注').fill('我的备注')
  await client.call(renameGateway, { params, body: { Name: '别人起的名', Remark: '别人的备注', Version: Gateway.Version } })
  await shownAs(page, '别人起的名')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByRole('alert')).toContainText('其他人刚刚修改过')
  await expect(dialog.getByLabel('备注')).toHaveValue('我的备注')
  expect(await client.call(gatewayDetails, { params })).toMatchObject({ GatewayName: '别人起的名', Remark: '别人的备注' })
  // Opened again it begins with what the other has written, and is saved.
  await dialog.getByRole('button', { name: '取消' }).click()
  await page.locator('.gateway-foot').getByRole('button', { name: '改名' }).click()
  await expect(dialog.getByLabel('备注')).toHaveValue('别人的备注')
  await dialog.getByLabel('备注').fill('两人的备注')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await client.call(gatewayDetails, { params })).toMatchObject({ GatewayName: '别人起的名', Remark: '两人的备注' })
  forgive(problems, /status of 409/)
})

test('who renames a line after somebody else is told so', async ({ page, stack, problems }) => {
  const line = stack.server.plant.lineAt('BJ01-T1', 1)
  if (!line) throw new Error('no line')
  const { gateway } = line.device
  await openDrawer(page, gateway.number)
  await page.getByRole('button', { name: `改名 ${line.name}`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '线路改名' })
  await dialog.getByLabel('线路名称').fill('我起的线路名')
  await client.call(renameLine, { params: { DeviceID: gateway.id, LineID: line.id }, body: { LineName: '别人起的线路名' } })
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByRole('alert')).toContainText('其他人刚刚修改过')
  expect(stack.server.plant.lines.get(line.id)?.name).toBe('别人起的线路名')
  forgive(problems, /status of 409/)
})

test('a name that is being written for a line stays when its gateway reports another device', async ({ page, stack }) => {
  const { Secret } = await newGateway('E2E-GROWS', '扩建柜', '356938035643817')
  const own = await jsonGateway(stack.server.mqttPort, 'E2E-GROWS', Secret)
  const device = (id: string) => ({ id, values: { 'info/model': '1PN', '1/position': 'closed' } })
  await own.publish('birth', { devices: [device('E2E-J-1')] })
  await openDrawer(page, 'E2E-GROWS')
  const behind = page.getByRole('region', { name: '设备与线路' })
  await behind.getByRole('button', { name: /^改名 / }).click()
  const dialog = page.getByRole('dialog', { name: '线路改名' })
  await dialog.getByLabel('线路名称').fill('扩建前的线路')
  await own.publish('birth', { devices: [device('E2E-J-1'), device('E2E-J-2')] })
  await expect(page.locator('.gateway-drawer .behind')).toContainText('E2E-J-2')
  await expect(dialog.getByLabel('线路名称')).toHaveValue('扩建前的线路')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toHaveCount(0)
  expect(stack.server.plant.lineAt('E2E-J-1', 1)?.name).toBe('扩建前的线路')
  await own.end()
})

test('whether to disable a gateway does not turn into the opposite when a colleague is quicker', async ({ page }) => {
  const { Gateway } = await newGateway('E2E-TURN', '停用柜', '356938035643825')
  const params = { DeviceID: Gateway.DeviceID }
  await openDrawer(page, 'E2E-TURN')
  await page.locator('.gateway-foot').getByRole('button', { name: '停用' }).click()
  const question = page.getByRole('dialog', { name: '停用网关 停用柜' })
  await expect(question).toBeVisible()
  await client.call(enableGateway, { params, body: { Enabled: false } })
  // The drawer behind it knows already.
  await expect(page.locator('.gateway-foot > button', { hasText: '启用' })).toHaveCount(1)
  await question.getByRole('button', { name: '停用' }).click()
  await expect(question).toHaveCount(0)
  expect(await client.call(gatewayDetails, { params })).toMatchObject({ Enabled: false })
})

test('a new secret is shown once; the gateway comes in with that one only', async ({ page, stack }) => {
  const { Secret } = await newGateway('E2E-ROTATE', '换密钥柜', '353879234252633')
  const mqttPort = stack.server.mqttPort
  expect(await tryConnect(mqttPort, 'E2E-ROTATE', Secret)).toBe('in')
  await openDrawer(page, 'E2E-ROTATE')
  await page.getByRole('button', { name: '重新生成密钥' }).click()
  const ask = page.getByRole('dialog', { name: '重新生成 换密钥柜 的密钥' })
  await expect(ask).toContainText('旧密钥立即失效')
  await ask.getByRole('button', { name: '取消' }).click()
  expect(await tryConnect(mqttPort, 'E2E-ROTATE', Secret)).toBe('in')
  await page.getByRole('button', { name: '重新生成密钥' }).click()
  await ask.getByRole('button', { name: '重新生成密钥' }).click()
  const shown = page.getByRole('dialog', { name: '网关 E2E-ROTATE 的连接信息' })
  await expect(shown).toContainText('密钥只显示这一次')
  const fresh = await shown.locator('.copy-value', { hasText: '密码（密钥）' }).locator('code').textContent()
  await page.keyboard.press('Escape')
  await expect(shown).toBeVisible()
  await shown.getByRole('button', { name: '已保存，关闭' }).click()
  await expect(shown).toHaveCount(0)
  expect([await tryConnect(mqttPort, 'E2E-ROTATE', Secret), await tryConnect(mqttPort, 'E2E-ROTATE', fresh ?? '')]).toEqual([
    'refused',
    'in',
  ])
})

test('a gateway that another organisation sees cannot be migrated, and says so', async ({ page }) => {
  const { Gateway } = await newGateway('E2E-SHARED', '共享柜', '490154203237518')
  const role = { Number: 'SHARED-1', Name: '消防远程', Privileges: ['devmon', 'devmon.realtime'], Buttons: [] }
  const { RoleID } = await client.call(addRole, { body: role })
  const person = { UserName: '13800000071', NickName: '消防支队', Password: 'a'.repeat(32), RoleID }
  await client.call(addSharedAccount, { body: { ...person, Assigned: { HouseIDs: [], DeviceIDs: [Gateway.DeviceID] } } })
  await page.goto('/system/geteway?Number=E2E-SHARED')
  const row = page.getByRole('row', { name: /E2E-SHARED/ })
  await row.getByRole('checkbox').check()
  await page.getByRole('group', { name: '已选 1 项' }).getByRole('button', { name: '迁移' }).click()
  const dialog = page.getByRole('dialog', { name: /迁移/ })
  await expect(dialog).toContainText('所选网关中有 1 个已共享，共享设备不能迁移。')
  await dialog.getByLabel('迁移到项目').fill('滨江')
  await page.getByRole('listbox').getByRole('option').first().click()
  await dialog.getByRole('button', { name: '迁移' }).click()
  await expect(dialog.getByRole('alert')).toContainText('共享设备不能迁移')
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(row).toContainText('望湖小区')
  await row.getByRole('button', { name: '查看网关' }).click()
  const migrate = page.locator('.gateway-foot').getByRole('button', { name: '迁移' })
  await expect(migrate).toBeDisabled()
  await expect(migrate).toHaveAttribute('title', '共享设备不能迁移')
})

test('a gateway that somebody adds between the check and the import is named; nothing comes in, and the rest can', async ({
  page,
}) => {
  const { utils, write } = await import('@e965/xlsx')
  const rows = [
    ['网关编号', '网关名称', 'IMEI', '对接平台', '设备类型', '备注'],
    ['E2E-QUICK', '别人先加的', '867530000000016', 'json', '4G', ''],
    ['E2E-SLOW', '后来的', '867530000000024', 'json', '4G', ''],
  ]
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), '网关')
  const buffer: Buffer = write(book, { type: 'buffer', bookType: 'xlsx' })
  await page.goto('/system/geteway')
  await page.getByRole('button', { name: '批量导入' }).click()
  const dialog = page.getByRole('dialog', { name: '批量导入网关' })
  await dialog.getByLabel('导入到项目').fill('望湖小区')
  await page.getByRole('option', { name: '望湖小区' }).click()
  await dialog.locator('input[type=file]').setInputFiles({ name: 'list.xlsx', mimeType: 'application/octet-stream', buffer })
  await expect(dialog).toContainText('共 2 行：2 行可导入，0 行有误')
  await newGateway('E2E-QUICK', '我先加的', '867530000000016')
  await dialog.getByRole('button', { name: '导入 2 个网关' }).click()
  await expect(dialog.getByRole('alert')).toContainText('未导入任何网关')
  await expect(dialog.getByRole('row', { name: /E2E-QUICK/ })).toContainText('网关编号: 已被占用')
  await dialog.getByRole('button', { name: '导入 1 个网关' }).click()
  await expect(dialog).toContainText('已导入 1 个网关')
})

type Rgb = readonly [number, number, number]

/** How many dots of the chart have one of these colours. */
const dotsOf = (page: Page, colours: readonly string[]) =>
  page.locator('.drawer .chart canvas').evaluate((canvas: HTMLCanvasElement, wanted) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    const rgb = wanted.map((each): Rgb => [1, 3, 5].map((at) => Number.parseInt(each.slice(at, at + 2), 16)) as unknown as Rgb)
    let dots = 0
    for (let at = 0; at < data.length; at += 4)
      if (rgb.some((each) => each.every((part, i) => Math.abs(part - (data[at + i] ?? 0)) < 6)) && (data[at + 3] ?? 0) > 128)
        dots += 1
    return dots
  }, colours)

test("the live chart draws a project's phases in the colours of its own standard", async ({ page, stack }) => {
  const line = stack.server.plant.lineAt('BJ01-T1', 1)
  if (!line) throw new Error('no line')
  const { project } = line.device.gateway
  const address = `/devmon/realtime?at=house:${project.id}&line=${line.id}`
  const colour = (name: string) =>
    page.evaluate((each) => getComputedStyle(document.documentElement).getPropertyValue(each).trim(), name)
  await page.goto('/devmon/realtime')
  const [gb, iec] = [[await colour('--cn-a'), await colour('--cn-c')], [await colour('--iec-a')]]
  await page.goto(address)
  await expect.poll(() => dotsOf(page, gb)).toBeGreaterThan(0)
  // Where lines cross, a dot may come out as any blend of their colours: of the first few dots that may be many.
  const shareOf = async (some: readonly string[], others: readonly string[]) =>
    (await dotsOf(page, some)) / (await dotsOf(page, others))
  await expect.poll(() => shareOf(iec, gb)).toBeLessThan(0.1)

  const { Name, PersonInCharge, ContactPhone, Province, City, District, Version } = await projectOf(project.name)
  const who = { PersonInCharge: PersonInCharge || '王工', ContactPhone: ContactPhone || '0571-8888' }
  const where = { Province: Province || '浙江省', City: City || '杭州市', District: District || '西湖区' }
  const body = { Name, ...who, ...where, Version, Standard: 'IEC' } as const
  await client.call(editProject, { params: { HouseID: project.id }, body })
  await page.goto(address)
  await expect.poll(() => dotsOf(page, iec)).toBeGreaterThan(0)
  await expect.poll(() => shareOf(gb, iec)).toBeLessThan(0.1)
  // And the list behind it agrees.
  const head = page.locator('.lines .ph.a').first()
  const used = () => head.evaluate((cell) => getComputedStyle(cell).getPropertyValue('--c').trim())
  await expect.poll(used).toBe(iec[0])
})
