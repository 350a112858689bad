import type { EventRecord } from '@linewarden/contract'
import { attendedHeader } from '@linewarden/contract'
import type { Request } from '@playwright/test'
import { openTab } from '../drawer-tab.ts'
import { hide, ofTheNetwork, test } from '../on-weak-network.ts'
import { answersOf, stopTime } from '../page-time.ts'
import { expect, forgive } from '../stack.ts'

test.use({ popUpsStay: true })

const isNew = /\/api\/v1\/messages\/isnew/

test('where the live connection tells nothing, the poll of every six seconds brings an alarm', async ({ page, stack }) => {
  // It opens and stays dumb: worse than one that is refused, because the page has no reason to ask more often.
  await page.routeWebSocket(/\/api\/v1\/live/, () => {})
  await page.clock.install()
  await page.reload()
  const answers = answersOf(page)
  const line = [...stack.fleet.gateways.values()].flatMap((gateway) => gateway.lines()).find(({ name }) => name === '2层照明一')
  if (!line) throw new Error('the fleet has no such line')
  await expect(page.getByRole('row', { name: line.name })).toContainText('合闸')
  await page.getByRole('row', { name: line.name }).click()
  const drawer = page.getByRole('dialog', { name: line.name })
  const chart = drawer.locator('.chart canvas').first()
  await expect(chart).toBeVisible()
  const events = drawer.getByRole('region', { name: '最近事件' })
  await openTab(drawer, '事件')
  await expect(events).not.toHaveText('最近事件')
  await expect(events).not.toContainText('漏电跳闸')
  await openTab(drawer, '实时')
  await expect(chart).toBeVisible()
  const polled = page.waitForResponse(isNew)
  await page.clock.fastForward(6_000)
  await (await polled).finished()
  // From here on the page's time stands, and with it every timer but those that are let run.
  await stopTime(page)
  await answers()
  const alarm = page.getByRole('alert').filter({ hasText: '漏电跳闸' }).filter({ hasText: line.name })
  stack.fleet.run('leakageTrip', line)
  await expect.poll(() => stack.server.plant.lineAt(line.controllerId, line.lineNo)?.lockoutCause).toBe('leakage')
  await expect(alarm).toHaveCount(0)
  const picture = () => chart.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  const before = await picture()
  await hide(page, true)
  await page.clock.runFor(6_000)
  await expect(alarm).toBeVisible()
  await hide(page, false)
  // The open line asks what happened on it, and its chart moves on though nothing comes: it does not look like now.
  await expect(async () => {
    await page.clock.runFor(500)
    expect(await picture()).not.toBe(before)
  }).toPass()
  await openTab(drawer, '事件')
  await expect(async () => {
    await page.clock.runFor(500)
    await expect(events).toContainText('漏电跳闸', { timeout: 500 })
  }).toPass()
})

test('where a proxy refuses the live connection the poll follows an order; when that fails too, the line is the last known', async ({
  network,
  page,
  problems,
}) => {
  await page.routeWebSocket(/\/api\/v1\/live/, (socket) => socket.close())
  await page.reload()
  await page.getByRole('row', { name: '2层插座二' }).click()
  const drawer = page.getByRole('dialog', { name: '2层插座二' })
  const position = drawer.getByRole('status', { name: '开关状态' })
  await expect(position).toHaveText('合闸')
  await drawer.getByRole('button', { name: '分闸' }).click()
  const confirm = page.getByRole('dialog', { name: /分闸/ })
  await confirm.getByRole('button', { name: '检修' }).click()
  await confirm.getByRole('button', { name: /^分闸/ }).click()
  await expect(drawer.getByRole('region', { name: '操作记录' }).locator('.outcome').first()).toContainText('位置已核实')
  await expect(position).toHaveText('分闸')
  const link = page.locator('header .link')
  await expect(link).toHaveText('连接中断，每 6 秒刷新')
  await openTab(drawer, '实时')
  await expect(drawer.locator('.chart canvas').first()).toBeVisible()
  await network.cut()
  await expect(position).toHaveText(/^分闸\s*旧$/)
  await expect(link).toHaveText('连接中断')
  await expect(page.getByRole('row', { name: '2层插座二' })).toContainText('旧')
  forgive(problems, ofTheNetwork)
})

/** Whether these requests of the console count as somebody's use of the session. */
const attended = (requests: readonly Request[]) =>
  new Set(requests.map((request) => request.headers()[attendedHeader.toLowerCase()]))

test('whatever a page asks by itself, it says that nobody is there, until somebody touches it', async ({ network, page }) => {
  await page.clock.install()
  await page.goto(`${network.url}/devmon/realtime`)
  const row = page.getByRole('row', { name: '1层照明一' })
  await row.click()
  await expect(page.getByRole('dialog', { name: '1层照明一' })).toContainText('质量良好')
  const asked: Request[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/')) asked.push(request)
  })
  await page.clock.fastForward(60_000)
  asked.length = 0
  // Whatever is asked again, the slowest of it each minute.
  // What is still being answered when the time goes on is asked again a minute after its answer.
  for (const each of [isNew, /\/v1\/tree/, /\/readings\?/])
    await expect(async () => {
      await page.clock.fastForward(20_000)
      expect(asked.some((request) => each.test(request.url()))).toBe(true)
    }).toPass({ intervals: [300] })
  expect(attended(asked)).toEqual(new Set(['no']))
  // Who only watches moves the pointer; the click at the beginning was a touch, too.
  await page.mouse.move(7, 7)
  asked.length = 0
  const polled = page.waitForRequest(isNew)
  await page.clock.fastForward(6_000)
  await polled
  expect(attended(asked)).toEqual(new Set(['yes']))
})

test('a poll that fails says nothing to anybody: nobody asked for it; the next brings a work order', async ({
  page,
  stack,
  problems,
}) => {
  await page.clock.install()
  await page.reload()
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  // The live connection asks once more when it opens: that is no poll.
  await expect(page.locator('header .link')).toHaveText('实时')
  await page.waitForLoadState('networkidle')
  await page.route(isNew, (route) => route.fulfill({ status: 500 }))
  await page.evaluate(() => {
    const announced: (string | null)[] = []
    Object.assign(window, { announced })
    const watch = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const { textContent } of addedNodes) announced.push(textContent)
    })
    watch.observe(document.querySelector('.toasts') ?? document.body, { childList: true })
  })
  // The second is only asked when the first has been seen to; one that was under way before may still be answered.
  for (let asked = 0; asked < 2; asked += 1) {
    const failed = page.waitForResponse((response) => isNew.test(response.url()) && response.status() === 500)
    await page.clock.fastForward(6_000)
    await failed
  }
  await page.getByRole('button', { name: '大屏' }).click()
  const announced = () => page.evaluate(() => (window as unknown as { announced: string[] }).announced)
  await expect.poll(announced).toEqual(['正在努力开发中...'])
  // As the server sends one to whoever gets an order.
  const [gateway] = stack.server.plant.gateways.values()
  const order: EventRecord = {
    ...{ EventID: '900000', Kind: 'order', Priority: 'low', Key: 'order.dispatched', State: null, Historical: false, Unit: '' },
    ...{
      Label: { zh: '新工单：设备维修', en: 'New work order: device repair' },
      Where: { HouseName: '望湖小区', GatewayName: null, LineName: null },
      Point: null,
      Value: null,
    },
    ...{ HouseID: gateway?.project.id ?? 0, DeviceID: gateway?.id ?? 0, LineID: null, ControllerID: null, LineNo: null },
    ...{
      RaisedAt: Date.now(),
      LastRaisedAt: Date.now(),
      Raises: 1,
      AddTime: Date.now(),
      Limit: null,
      AcknowledgedAt: null,
      AcknowledgedBy: null,
      ReturnedAt: null,
      AcknowledgedUntil: null,
      Shelved: null,
      Suppressed: null,
      IncidentID: null,
      Role: null,
      Announced: 1,
      SeriesID: '1',
      Occurrences: 1,
      IsNewest: true,
      Chatter: null,
      Fleeting: false,
      Evidence: 'none',
    },
  }
  const pollAnswer = {
    IsNewMessage: true,
    Type: 'order',
    Url: '/sounds/order.wav',
    AddTime: Date.now(),
    Content: '',
    Last: '900000',
  }
  await page.unroute(isNew)
  await page.route(isNew, (route) => route.fulfill({ json: { Code: 1, Message: '', Data: { ...pollAnswer, Events: [order] } } }))
  const sound = page.waitForRequest(/\/sounds\/order\.wav$/)
  await page.clock.fastForward(6_000)
  const popUp = page.getByRole('alert').filter({ hasText: '新工单：设备维修' })
  await expect(popUp).toContainText('工单')
  await expect(popUp.getByRole('button', { name: '确认', exact: true })).toHaveCount(0)
  await sound
  forgive(problems, ofTheNetwork)
})
