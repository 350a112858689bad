import { deleteGateway, updateLine } from '@linewarden/contract'
import { signedIn } from '../../kit/stack.ts'
import { openTab } from '../drawer-tab.ts'
import { enter } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.beforeEach(async ({ page, stack }) => {
  await enter(page, stack)
})

/** A healthy closed line of the fleet that no other test touches. */
function lineOf(
  fleet: { gateways: ReadonlyMap<string, { lines: () => readonly { controllerId: string; lineNo: number; name: string }[] }> },
  index: number,
) {
  const line = [...fleet.gateways.values()].flatMap((gateway) => gateway.lines())[index]
  if (!line) throw new Error(`the fleet has no line ${index}`)
  return line
}

test('the live table shows what the equipment reports, as it reports it', async ({ page, stack }) => {
  const line = lineOf(stack.fleet, 0)
  const row = page.getByRole('row', { name: line.name }).first()
  await expect(row).toContainText('合闸')
  const gateway = stack.fleet.gatewayOf(line.controllerId)
  gateway.setPoint(line.controllerId, line.lineNo, 'current.a', 12.3)
  await gateway.report()
  await expect(row).toContainText('12.3')
})

test('a trip is followed step by step and the symbol moves when the equipment says so; then the line closes again', async ({
  page,
  stack,
}) => {
  const line = lineOf(stack.fleet, 1)
  await page.getByRole('row', { name: line.name }).first().click()
  const drawer = page.getByRole('dialog', { name: line.name })
  await expect(drawer.locator('.confirmed')).toContainText('前确认')
  await expect(drawer).not.toContainText('合闸自')
  await drawer.getByRole('button', { name: '分闸' }).click()
  const confirm = page.getByRole('dialog', { name: /分闸/ })
  await confirm.getByRole('button', { name: '检修' }).click()
  // On a machine that stalled its device was silent for a while: then nobody knows from where the line moved, nor since when it stands.
  const known = stack.server.plant.lineAt(line.controllerId, line.lineNo)
  const wasObserved = known !== null && stack.server.ingest.hasValidPosition(known)
  await confirm.getByRole('button', { name: /^分闸/ }).click()
  const ledger = drawer.getByRole('region', { name: '操作记录' })
  await expect(ledger.locator('.outcome').first()).toContainText('位置已核实')
  await expect(drawer.getByRole('status', { name: '开关状态' })).toHaveText('分闸')
  // Since when is told once the change was seen, and not before.
  if (wasObserved) await expect(drawer).toContainText(/分闸自 \d\d:\d\d:\d\d/)
  else await expect(drawer).not.toContainText('分闸自')
  expect(stack.fleet.executed.at(-1)).toMatchObject({ controllerId: line.controllerId, lineNo: line.lineNo, action: 'trip' })

  await openTab(drawer, '实时')
  const close = drawer.getByRole('button', { name: '合闸' })
  // Ten seconds must pass between two operations; the permit says so, then gives way.
  await expect(drawer.getByRole('region', { name: '合闸许可' })).toContainText('10')
  await expect(close).toBeEnabled()
  await close.click()
  const again = page.getByRole('dialog', { name: /合闸/ })
  await expect(again).toContainText(wasObserved ? /现在 分闸\s+自 \d\d:\d\d:\d\d 起/ : /现在 分闸/)
  await again.getByRole('button', { name: '恢复供电' }).click()
  await again.getByRole('button', { name: /^合闸/ }).click()
  await expect(drawer.getByRole('status', { name: '开关状态' })).toHaveText('合闸')
  expect(stack.fleet.executed.at(-1)).toMatchObject({ controllerId: line.controllerId, lineNo: line.lineNo, action: 'close' })
})

test('the chart marks what came only after an interruption, and says so', async ({ page, stack }) => {
  const { controllerId, lineNo, name } = lineOf(stack.fleet, 3)
  const open = async () => {
    await page.getByRole('row', { name }).first().click()
    return page.getByRole('dialog', { name }).getByRole('region', { name: '近 15 分钟' })
  }
  const client = await stack.server.database.connect()
  const lineId = stack.server.plant.lineAt(controllerId, lineNo)?.id
  // What the gateway kept until it was born for the first time came late too: here the line begins without.
  await client.query('delete from reading where line_id = $1 and quality & 2 <> 0', [lineId])
  const readings = page.waitForResponse(/\/readings(\?|$)/)
  const chart = await open()
  await readings
  await expect(chart.locator('canvas')).toBeVisible()
  await expect(chart).not.toContainText('补传')
  await client.query(
    `insert into reading (line_id, at, received_at, quality, v0)
     select $1, now() - n * interval '10 seconds', now(), 2, 5 from generate_series(30, 40) n on conflict do nothing`,
    [lineId],
  )
  await client.end()
  await page.reload()
  await expect(chart).toContainText('补传')
})

test('a limit that somebody else sets is the one an open drawer reads values against', async ({ page, stack }) => {
  const { controllerId, lineNo, name } = lineOf(stack.fleet, 4)
  await page.getByRole('row', { name }).first().click()
  const level = page
    .getByRole('dialog', { name })
    .getByRole('region', { name: '数值与整定' })
    .getByRole('row', { name: /漏电动作值/ })
  await expect(level).toBeVisible()
  await expect(level).not.toContainText('≤ 47')
  const client = await signedIn(stack.url, stack.admin)
  await client.call(updateLine, {
    body: {
      ControllerID: controllerId,
      LineNo: lineNo,
      Settings: [{ Key: 'leakage.trip', Value: 47 }],
      CommandID: crypto.randomUUID(),
      Reason: '整定调整',
    },
  })
  await expect(level).toContainText('≤ 47')
})

test('what could not be fetched about a line says so and can be tried again; it does not look like nothing', async ({
  page,
  stack,
  problems,
}) => {
  const line = lineOf(stack.fleet, 5)
  const fails = /\/(messages\/list|readings|tags|inspections|commands|selftests|trips|feed)(\?|$)/
  await page.route(fails, (route) => route.fulfill({ status: 503, body: '' }))
  await page.getByRole('row', { name: line.name }).first().click()
  const drawer = page.getByRole('dialog', { name: line.name })
  const parts = [
    ['实时', '近 15 分钟'],
    ['挂牌', '挂牌与巡检'],
    ['跳闸分析', '供电关系'],
    ['跳闸分析', '跳闸分析'],
    ['事件', '最近事件'],
    ['操作', '漏电自检'],
    ['操作', '操作记录'],
  ] as const
  const partOf = (name: string) => drawer.getByRole('region', { name })
  for (const [tab, name] of parts) {
    await openTab(drawer, tab)
    await expect(partOf(name)).toContainText('服务不可用')
    await expect(drawer.getByText('没有事件')).toHaveCount(0)
  }
  // While it is tried again what is known stays told, and the button stays under the finger.
  const again = partOf('操作记录').getByRole('button', { name: '重试' })
  await again.focus()
  await page.keyboard.press('Enter')
  await expect(again).toHaveAttribute('aria-busy', 'true')
  await expect(again).toBeFocused()
  await expect(again).toHaveAttribute('aria-busy', 'false')
  await expect(again).toBeFocused()
  // These do not ask again by themselves within moments: somebody presses the button.
  for (const [tab, name] of [
    ['实时', '近 15 分钟'],
    ['操作', '操作记录'],
    ['事件', '最近事件'],
  ] as const) {
    await page.route(fails, (route) => route.fulfill({ status: 503, body: '' }))
    await openTab(drawer, tab)
    const part = partOf(name)
    await expect(part).toContainText('服务不可用')
    await page.unrouteAll()
    const again = page.waitForResponse((reply) => fails.test(reply.url()) && reply.ok())
    await part.getByRole('button', { name: '重试' }).click()
    await again
    await expect(part).not.toContainText('服务不可用')
  }
  forgive(problems, /status of 503/)
})

test('a line of a kind that this page does not know says so, and what happened on it', async ({ page, stack }) => {
  const line = lineOf(stack.fleet, 5)
  await page.route(/\/api\/v1\/tree\?HouseID=/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('"Family":"breaker1p"', '"Family":"later"') })
  })
  await page.reload()
  await page.getByRole('row', { name: line.name }).first().click()
  const drawer = page.getByRole('dialog', { name: line.name })
  await expect(drawer).toContainText('此页面不认识该类设备（later）')
  await expect(drawer.getByRole('region', { name: '最近事件' })).toContainText(/没有事件|确认/)
  await page.unrouteAll()
  await drawer.getByRole('button', { name: '刷新页面' }).click()
  await expect(drawer.getByRole('region', { name: '测点数值' })).toBeVisible()
})

test.describe('what pops up', () => {
  test.use({ popUpsStay: true })

  test('an alarm pops up and leads to its line', async ({ page, stack }) => {
    const line = lineOf(stack.fleet, 2)
    stack.fleet.run('leakageTrip', line)
    const popup = page.getByRole('alert').filter({ hasText: '漏电跳闸' })
    await expect(popup).toContainText(line.name)
    await popup.getByRole('button', { name: '查看' }).click()
    await expect(page.getByRole('dialog', { name: line.name })).toBeVisible()
  })

  test('an offline gateway says so, and its lines are not shown as live', async ({ page, stack }) => {
    const gateway = [...stack.fleet.gateways.values()].at(-1)
    const line = gateway?.lines()[0]
    if (!gateway || !line) throw new Error('the fleet has no gateway')
    await page.getByRole('searchbox', { name: '实时监控 线路名 / 网关名' }).fill(gateway.number)
    const row = page.getByRole('row', { name: line.name })
    await expect(row).toContainText('合闸')
    gateway.disconnectAbruptly()
    await expect(page.getByRole('table').getByText('网关离线')).toBeVisible()
    await expect(row).toContainText('离线')
    await expect(row).not.toContainText('合闸')
    // No line is concerned but all of them: the event leads to the gateway, selected in the tree.
    const popup = page.getByRole('region', { name: '新事件' }).getByRole('alert').filter({ hasText: '网关离线' })
    await popup.getByRole('button', { name: '查看' }).click()
    await expect(page).toHaveURL(/realtime\?at=gateway/)
    await expect(page.locator('[role=treeitem][aria-selected=true]')).toBeVisible()
    await expect(row).toContainText('离线')
    // Its drawer says since when, and what must not be concluded from it; so it does over a list that is not grouped by gateways.
    await row.click()
    const drawer = page.getByRole('dialog', { name: line.name })
    await expect(drawer).toContainText(/网关离线自 .* 起（.*）。以下为最后已知值，不能据此判断线路已断电。/)
    await expect(drawer.getByRole('region', { name: '测点数值' })).not.toContainText('质量良好')
    await gateway.reconnect()
    await expect(drawer).not.toContainText('网关离线')
    await expect(drawer.getByRole('region', { name: '测点数值' })).toContainText('质量良好')
    await page.keyboard.press('Escape')
    await expect(row).toContainText('合闸')
  })
})

test('a line whose gateway is taken out while it is open is gone, and says so; so is what was selected', async ({
  page,
  stack,
  problems,
}) => {
  const gateway = [...stack.fleet.gateways.values()].at(-2)
  const line = gateway?.lines()[0]
  const known = gateway && stack.server.plant.gatewayByNumber.get(gateway.number)
  if (!gateway || !line || !known) throw new Error('the fleet has no such gateway')
  await page.goto(`/devmon/realtime?at=gateway:${known.project.id}:${known.id}`)
  await page.getByRole('row', { name: line.name }).first().click()
  const drawer = page.getByRole('dialog', { name: line.name })
  await drawer
    .getByRole('button', { name: /^(分闸|合闸)$/ })
    .first()
    .waitFor()
  // A session of its own: an account has five at most, and every test signs in.
  const client = await signedIn(stack.url, stack.admin)
  await client.call(deleteGateway, { body: { DeviceID: known.id } })
  const gone = page.getByRole('dialog', { name: '该线路已不存在，或无权查看' })
  await expect(gone).toBeVisible()
  await expect(drawer).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^(分闸|合闸)$/ })).toHaveCount(0)
  await gone.getByRole('button', { name: '关闭' }).first().click()
  await expect(page.getByText('所选位置已不存在，或无权查看')).toBeVisible()
  await expect(page.getByRole('treeitem', { name: new RegExp(`^${known.name}(，|$)`) })).toHaveCount(0)
  await page.getByRole('button', { name: '全部项目', exact: true }).click()
  await expect(page).toHaveURL(/realtime$/)
  await expect(page.getByText('所选位置已不存在，或无权查看')).toHaveCount(0)
  // What the drawer had just asked about the line is not there any more, and the browser says so.
  forgive(problems, /status of 404/)
})
