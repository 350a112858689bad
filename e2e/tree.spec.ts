import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

test.beforeEach(async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
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

test('a search that finds nothing says so', async ({ page }) => {
  await page.getByRole('searchbox', { name: '线路名 / 网关名', exact: true }).fill('没有这样的线路')
  await expect(page.getByText('没有名称包含“没有这样的线路”的网关或线路')).toBeVisible()
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
