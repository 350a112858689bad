import { renameLine } from '@linewarden/contract'
import { signedIn } from '../../kit/stack.ts'
import { violations } from '../axe.ts'
import { arrived, phone, tooWide } from '../looks.ts'
import { enter, keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test('on a phone the menu opens from the header: each section shows its pages, and the one that is chosen takes its place', async ({
  page,
  stack,
}) => {
  await page.setViewportSize(phone)
  await enter(page, stack)
  const button = page.getByRole('button', { name: '菜单', exact: true })
  const sections = page.getByRole('navigation', { name: '主菜单' })
  const pages = page.getByRole('navigation', { name: '页面' })
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  await expect(sections).toBeHidden()
  await button.click()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expect(sections.getByRole('button')).toHaveText(['设备监控', '定时场景', '隐患分析', '能耗统计', '系统管理'])
  await expect(pages.getByRole('button', { name: '实时监控' })).toHaveAttribute('aria-current', 'page')
  expect(await violations(page)).toEqual([])
  await sections.getByRole('button', { name: '系统管理' }).click()
  await pages.getByRole('button', { name: '网关管理' }).click()
  await expect(page).toHaveURL(/\/system\/geteway/)
  await expect(sections).toBeHidden()
  // By keyboard: it opens where the person is, and leads back to its button.
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sections.getByRole('button', { name: '系统管理' })).toHaveAttribute('aria-expanded', 'true')
  await sections.getByRole('button', { name: '设备监控' }).press('Enter')
  await expect(pages.getByRole('button', { name: '实时监控' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sections).toBeHidden()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(pages.getByRole('button', { name: '网关管理' })).toHaveAttribute('aria-current', 'page')
  // The page below it is not worked unseen.
  await page.getByRole('main').getByRole('button', { name: '新增网关' }).focus()
  await expect(sections).toBeHidden()
})

test('on a phone the cards are put in order by a choice, which can be turned; the address holds it', async ({ page, stack }) => {
  await page.setViewportSize(phone)
  await enter(page, stack)
  const cards = page.getByRole('row').filter({ has: page.locator('.card') })
  await expect(cards.first()).toBeVisible()
  const choice = page.getByRole('combobox', { name: '排序' })
  const turn = page.getByRole('button', { name: '反向排列' })
  await expect(turn).toBeDisabled()
  await choice.selectOption('有功功率 Σ')
  await expect(page).toHaveURL(/sort=-power\.total/)
  await choice.selectOption('线路')
  await expect(page).toHaveURL(/sort=name/)
  const names = new Intl.Collator('zh-CN', { numeric: true })
  const all = [...stack.server.plant.lines.values()].map(({ name }) => name).sort(names.compare)
  await expect(cards.first()).toHaveAccessibleName(all[0] ?? '')
  await expect(turn).toHaveAttribute('aria-pressed', 'false')
  await turn.click()
  await expect(page).toHaveURL(/sort=-name/)
  await expect(turn).toHaveAttribute('aria-pressed', 'true')
  await expect(cards.first()).toHaveAccessibleName(all.at(-1) ?? '')
  for (const each of [choice, turn]) {
    const box = await each.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(phone.width + 0.5)
  }
  await choice.selectOption('')
  await expect(page).not.toHaveURL(/sort=/)
})

test('a name from right to left stays apart from the gateway beside it', async ({ page, stack }) => {
  const [line] = stack.server.plant.lines.values()
  if (!line) throw new Error('the plant has no line')
  const client = await signedIn(stack.url, stack.admin)
  const LineName = 'לוח 2'
  await client.call(renameLine, { params: { DeviceID: line.device.gateway.id, LineID: line.id }, body: { LineName } })
  await keepSession(page, stack)
  for (const view of ['table', 'cards']) {
    await page.goto(`/devmon/realtime?sort=name&view=${view}&q=${encodeURIComponent(LineName)}`)
    const parts = page.getByRole('row', { name: LineName, exact: true }).locator('bdi')
    await expect(parts).toHaveText([LineName, line.device.gateway.name])
    const [name, gateway] = await parts.evaluateAll((each) =>
      each.map((part) => {
        const { left, right } = part.getBoundingClientRect()
        return { left, right }
      }),
    )
    expect(name?.right).toBeLessThanOrEqual(gateway?.left ?? 0)
  }
})

test('on a wall of 3,840 px the main pages fit, and use its width', async ({ page, stack }) => {
  const viewport = { width: 3840, height: 2160 }
  await page.setViewportSize(viewport)
  await keepSession(page, stack)
  const wrong: string[] = []
  for (const [path, control] of [
    ['/devmon/realtime', '只看异常'],
    ['/devmon/hisdata', '选择测点'],
    ['/system/geteway', '新增网关'],
    ['/system/log', '导出'],
  ] as const) {
    await page.goto(path)
    await arrived(page)
    for (const each of await tooWide(page)) wrong.push(`${path}: ${each}`)
    await expect(page.getByRole('main').getByRole('button', { name: control }).first()).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('banner').getByRole('button', { name: stack.admin.userName })).toBeInViewport({ ratio: 1 })
    // No column in the middle of nothing: the page reaches the right edge.
    const right = await page.getByRole('main').evaluate((main) => main.getBoundingClientRect().right)
    if (Math.abs(right - viewport.width) > 1) wrong.push(`${path}: ends at ${right}`)
  }
  expect(wrong).toEqual([])
})
