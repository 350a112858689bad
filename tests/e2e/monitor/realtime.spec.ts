import { renameLine } from '@linewarden/contract'
import { signedIn } from '../../kit/stack.ts'
import { openTab } from '../drawer-tab.ts'
import { flood, raise } from '../raise.ts'
import { enter } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.beforeEach(async ({ page, stack }) => {
  await enter(page, stack)
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
})

test('a column sorts, the largest first, then the smallest, then as it was; the address holds it', async ({ page }) => {
  const head = page.getByRole('columnheader', { name: '有功功率 Σ' })
  const values = () =>
    page
      .getByRole('row')
      .filter({ has: page.locator('.switch') })
      .evaluateAll((rows) => rows.slice(0, 5).map((row) => Number(row.querySelectorAll('[role=cell]')[11]?.textContent)))
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expect(page).toHaveURL(/sort=-power.total/)
  await expect
    .poll(async () => (await values()).every((value, index, all) => index === 0 || value <= (all[index - 1] ?? 0) * 1.2))
    .toBe(true)
  expect((await values())[0]).toBeGreaterThan(20)
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await head.getByRole('button').click()
  await expect(page).not.toHaveURL(/sort=/)
})

test('columns can be left out, and stay so', async ({ page }) => {
  await page.getByRole('button', { name: '显示列' }).click()
  await page.getByRole('checkbox', { name: '温度' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: '温度 A' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('columnheader', { name: '电流 A' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '温度 A' })).toHaveCount(0)
})

test('only what is abnormal, and only what is tripped', async ({ page, stack }) => {
  const line = [...stack.fleet.gateways.values()].flatMap((gateway) => gateway.lines()).find(({ name }) => name === '4层插座二')
  if (!line) throw new Error('the fleet has no such line')
  stack.fleet.run('leakageTrip', line)
  await page.getByRole('button', { name: '只看异常' }).click()
  await expect(page.getByRole('row', { name: '4层插座二' })).toContainText('脱扣')
  await expect(page.getByRole('row', { name: '4层插座一' })).toHaveCount(0)
  await page.getByRole('button', { name: /^脱扣/ }).click()
  await expect(page).toHaveURL(/state=tripped/)
  await expect(page.getByRole('row', { name: '4层插座二' })).toBeVisible()
})

test('a line that is not there is said to be gone', async ({ page }) => {
  await page.goto('/devmon/realtime?line=99999999')
  await expect(page.getByRole('dialog', { name: '该线路已不存在，或无权查看' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a flood of events asks for an open line a few times, not once for each; the last of them is seen', async ({
  page,
  stack,
}) => {
  const name = '3层照明一'
  const line = [...stack.server.plant.lines.values()].find((each) => each.name === name)
  if (!line) throw new Error(`the fleet has no line ${name}`)
  await page.getByRole('searchbox', { name: /^实时监控/ }).fill(name)
  await page.getByRole('row', { name }).click()
  // What the tab asks for when it opens is answered before the flood.
  const first = page.waitForResponse(/\/messages\/list$/)
  await openTab(page.getByRole('dialog', { name }), '事件')
  await (await first).finished()
  const events = page.getByRole('dialog', { name }).getByRole('region', { name: '最近事件' })
  await expect(events).toBeVisible()
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/messages/list')) asked += 1
  })
  for (let from = 0; from < 2_000; from += 500) await raise(stack, line, flood(from, 500))
  stack.fleet.run('leakageTrip', { controllerId: line.device.controllerId, lineNo: line.lineNo })
  await expect(events).toContainText('漏电跳闸')
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThan(40)
})

test('Escape closes the drawer wherever the focus is, and the focus goes back to the row', async ({ page }) => {
  const row = page.getByRole('row', { name: '2层照明一' })
  await row.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: '2层照明一' })
  await expect(drawer).toBeVisible()
  await drawer.getByRole('button', { name: '分闸' }).focus()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(row).toBeFocused()
})

test('names are shown as they are, whatever they hold, and break nothing', async ({ page, stack }) => {
  const lines = [...stack.server.plant.lines.values()].filter(({ device }) => device.gateway.number === 'GW-BJ-05')
  // A session of its own: an account has five at most, and every test signs in.
  const client = await signedIn(stack.url, stack.admin)
  const names = ['<img src=x onerror=alert(1)>', 'مرحبا بالعالم', '🔥⚡️ 一号', `${'很长的线路名称'.repeat(9)}。`]
  for (const [index, LineName] of names.entries()) {
    const line = lines[index]
    if (!line) throw new Error('the gateway has too few lines')
    await client.call(renameLine, { params: { DeviceID: line.device.gateway.id, LineID: line.id }, body: { LineName } })
  }
  await page.goto(`/devmon/realtime?q=GW-BJ-05`)
  for (const name of names) await expect(page.getByRole('row', { name, exact: true })).toBeVisible()
  await page.getByRole('row', { name: names[3] ?? '', exact: true }).click()
  await expect(page.getByRole('dialog', { name: names[3] ?? '' })).toBeVisible()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(overflow).toBe(0)
})

test('on a phone lines are cards and the drawer fills the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('row', { name: '1层照明二' }).click()
  const drawer = page.getByRole('dialog', { name: '1层照明二' })
  await expect(drawer.getByRole('button', { name: '分闸' })).toBeVisible()
  // It slides in; on the way there its edges lie between pixels.
  const edges = () =>
    drawer.evaluate((node) => {
      const { left, right } = node.getBoundingClientRect()
      return [Math.round(left), Math.round(right)]
    })
  await expect.poll(edges).toEqual([0, 360])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(overflow).toBe(0)
})

test.describe('while three pop-ups stand', () => {
  test.use({ popUpsStay: true })

  for (const [width, height] of [
    [1440, 900],
    [1440, 720],
    [390, 844],
  ] as const)
    test(`every figure, tool and head of a column is within reach at ${width} × ${height}`, async ({ page, stack }) => {
      await page.setViewportSize({ width, height })
      const lines = [...stack.server.plant.lines.values()].slice(0, 3)
      for (const line of lines) await raise(stack, line, ['过流报警'])
      const pops = page.getByRole('region', { name: '新事件' })
      await expect(pops.getByRole('button', { name: /还有/ })).toBeVisible()
      const covered = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('main :is(button, input, select, [role=columnheader], .strip > *)')].flatMap((each) => {
            const { left, top, width, height } = each.getBoundingClientRect()
            const [x, y] = [left + width / 2, top + height / 2]
            const met = document.elementFromPoint(x, y)
            // What is scrolled out of sight can be scrolled back.
            return met?.closest('.pops') ? [each.textContent || each.getAttribute('aria-label')] : []
          }),
        )
      await expect.poll(covered).toEqual([])
      if (width < 861) return
      await pops.getByRole('button', { name: /还有/ }).click()
      await expect(pops.locator('.pop').nth(2)).toBeVisible()
      await expect.poll(covered).toEqual([])
    })
})
