import { addProject } from '@linewarden/contract'
import { signedIn } from '../../kit/stack.ts'
import { enter } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.beforeEach(async ({ page, stack }) => {
  await enter(page, stack)
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
})

test('the tree is walked with the keyboard, unfolds project by project, and its choice stands in the address', async ({
  page,
}) => {
  const gateway = page.getByRole('treeitem', { name: '1层配电箱' })
  await gateway.click()
  await expect(page).toHaveURL(/at=gateway/)
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  await expect(page.getByRole('row', { name: '2层照明一' })).toHaveCount(0)
  await page.getByRole('tree').focus()
  await expect(gateway).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(gateway).toHaveAttribute('aria-expanded', 'true')
  // A quick hand goes on before the page has followed the choice: it must not be set back to where it chose.
  for (const key of ['ArrowDown', 'Enter', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
  await expect(page).toHaveURL(/at=device/)
  await expect(gateway).toHaveAttribute('aria-expanded', 'false')
})

test('a search finds gateways and lines wherever they are, and leads there', async ({ page }) => {
  await page.getByRole('searchbox', { name: '线路名 / 网关名', exact: true }).fill('制冷')
  await page
    .getByRole('region', { name: '搜索结果' })
    .getByRole('button', { name: /制冷机房配电柜/ })
    .first()
    .click()
  await expect(page).toHaveURL(/at=gateway/)
  await expect(page.getByRole('row', { name: '冷水机组 1#' })).toBeVisible()
  await expect(page.getByRole('row', { name: '1层照明一' })).toHaveCount(0)
})

test('a search that finds nothing says so, but not before it has asked; a line that is found is opened in its place', async ({
  page,
}) => {
  const search = page.getByRole('searchbox', { name: '线路名 / 网关名', exact: true })
  await search.fill('没有这样的线路')
  await expect(page.getByText('没有名称包含“没有这样的线路”的网关或线路')).toBeVisible()
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/tree\/search/, async (route) => {
    await answered
    await route.continue()
  })
  const asked = page.waitForRequest(/\/tree\/search/)
  await search.fill('冷水机组 2#')
  const underWay = async () => {
    await expect(page.getByRole('region', { name: '设备树' }).getByRole('status', { name: '加载中' })).toBeVisible()
    await expect(page.getByText(/没有名称包含/)).toHaveCount(0)
  }
  await underWay()
  await asked
  await underWay()
  answer()
  await page
    .getByRole('region', { name: '搜索结果' })
    .getByRole('button', { name: /^冷水机组 2#/ })
    .click()
  await expect(page).toHaveURL(/at=line/)
  await expect(page.getByRole('row', { name: '冷水机组 2#' })).toBeVisible()
  await expect(page.getByRole('row', { name: '冷水机组 1#' })).toHaveCount(0)
})

test('a project that could not be loaded is said to be missing, nothing looks whole without it, and it can be asked for again', async ({
  page,
  stack,
  problems,
}) => {
  const missing = [...stack.server.plant.projects.values()].find(({ name }) => name === '望湖小区')
  if (!missing) throw new Error('the plant has no such project')
  await page.route(new RegExp(`/tree\\?HouseID=${missing.id}$`), (route) => route.fulfill({ status: 503, body: '' }))
  await page.reload()
  const alert = page.getByRole('alert').filter({ hasText: '1 个项目加载失败' })
  const node = page.getByRole('treeitem', { name: '加载失败，点击重试' })
  const closed = page.locator('.strip').getByRole('button', { name: /^合闸/ })
  await expect(alert).toBeVisible()
  await expect(node).toBeVisible()
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  await expect(page.getByText(/^已加载 \d+ 条，不完整$/)).toBeVisible()
  await expect(closed).toHaveText(/≥ \d+$/)
  const retry = alert.getByRole('button', { name: '重试' })
  await retry.press('Enter')
  await expect(retry).toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('treeitem', { name: '加载中…' })).toBeVisible()
  await expect(retry).toHaveAttribute('aria-busy', 'false')
  await expect(retry).toBeFocused()
  await page.unrouteAll()
  // In the tree it is asked for by the key that chooses, which chooses nothing here.
  const tree = page.getByRole('tree')
  await tree.focus()
  for (const key of ['End', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByRole('treeitem', { name: '1号楼总配电柜' })).toBeVisible()
  await expect(node).toHaveCount(0)
  await expect(alert).toHaveCount(0)
  await expect(page.getByText(/^共 \d+ 条$/)).toBeVisible()
  await expect(closed).toHaveText(/\d+$/)
  await expect(closed).not.toContainText('≥')
  await expect(page).not.toHaveURL(/at=/)
  // The keys go on at the project.
  const project = await page.getByRole('treeitem', { name: '望湖小区' }).getAttribute('id')
  await expect(tree).toHaveAttribute('aria-activedescendant', project ?? '')
  forgive(problems, /status of 503/)
})

test('the selection goes along to the next page and survives a reload', async ({ page }) => {
  await page.getByRole('treeitem', { name: '望湖小区' }).click()
  await expect(page).toHaveURL(/at=house/)
  await page.reload()
  const chosen = page.getByRole('treeitem', { name: '望湖小区' })
  await expect(chosen).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('row', { name: '1层照明一' })).toHaveCount(0)
  const menu = (name: string) => page.getByRole('navigation', { name }).getByRole('button')
  await menu('页面').filter({ hasText: '历史数据' }).click()
  await expect(page).toHaveURL(/hisdata\?at=house/)
  await expect(chosen).toHaveAttribute('aria-selected', 'true')
  // A page without a tree says nothing about it, and does not lose it, not even when it is loaded anew.
  await menu('主菜单').filter({ hasText: '系统管理' }).click()
  await expect(page).toHaveURL(/\/system\/\w+$/)
  await page.reload()
  await menu('主菜单').filter({ hasText: '设备监控' }).click()
  await expect(page).toHaveURL(/realtime\?at=house/)
  await expect(chosen).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('row', { name: '1层照明一' })).toHaveCount(0)
  // Everything is a choice too.
  await page.goto('/devmon/realtime')
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  await menu('页面').filter({ hasText: '历史数据' }).click()
  await expect(page).toHaveURL(/hisdata$/)
})

test('what is abnormal below a node is counted on it', async ({ page, stack }) => {
  const line = [...stack.fleet.gateways.values()].flatMap((gateway) => gateway.lines()).find(({ name }) => name === '冷水机组 2#')
  if (!line) throw new Error('the fleet has no such line')
  const gateway = page.getByRole('treeitem', { name: '制冷机房配电柜' })
  await expect(gateway.locator('.abnormal > .alarm')).toHaveCount(0)
  stack.fleet.run('leakageTrip', line)
  await expect(gateway.locator('.abnormal > .alarm')).toHaveText('1')
  // Who does not see marks and dots hears the same.
  await expect(gateway).toHaveAccessibleName(/^制冷机房配电柜，.*1 处报警.*\d+ 回路$/)
  await gateway.click()
  await page.getByRole('tree').focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('treeitem', { name: '三相断路器组' }).click()
  await page.getByRole('tree').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('treeitem', { name: '冷水机组 2#' })).toHaveAccessibleName('冷水机组 2#，脱扣，1 处报警')
  await expect(page.getByRole('treeitem', { name: '冷冻水泵' })).toHaveAccessibleName(/^冷冻水泵，(合闸|分闸)$/)
})

// The last of this file: with more projects none is unfolded from the start.
test('a folded project asks for nothing, and of one that is unfolded only the rows in sight are drawn', async ({
  page,
  stack,
}) => {
  const client = await signedIn(stack.url, stack.admin)
  const place = { PersonInCharge: '王工', ContactPhone: '0571-8888', Province: '浙江省', City: '杭州市', District: '西湖区' }
  for (const Name of ['空项目一', '空项目二']) await client.call(addProject, { body: { Name, ...place } })
  const large = [...stack.server.plant.projects.values()].find(({ name }) => name === '滨江科创园一期')
  await page.goto('about:blank')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const house = searchParams.get('HouseID')
    if (pathname.endsWith('/tree') && house !== null) asked.push(house)
  })
  await page.setViewportSize({ width: 1280, height: 480 })
  // A page that shows no lines itself.
  await page.goto('/devmon/hisdata')
  const project = page.getByRole('treeitem', { name: '滨江科创园一期' })
  await expect(project).toHaveAttribute('aria-expanded', 'false')
  await project.click()
  await page.getByRole('tree').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('treeitem', { name: '1层配电箱' })).toBeVisible()
  expect(asked).toEqual([String(large?.id)])
  // Down through its first gateways, each unfolded with all that is in it.
  for (let row = 0; row < 30; row += 1) for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
  const rows = (await page.locator('.tree .rows').evaluate((element) => element.clientHeight)) / 28
  expect(rows).toBeGreaterThan(40)
  expect(await page.getByRole('treeitem').count()).toBeLessThan(rows * 0.75)
  await page.keyboard.press('End')
  await expect(page.getByRole('treeitem', { name: '望湖小区' })).toBeInViewport()
  await expect(project).toHaveCount(0)
  expect(asked).toEqual([String(large?.id)])
})
