import { readFile } from 'node:fs/promises'
import { builtRoutes } from '../built-routes.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.beforeEach(async ({ page, stack }) => {
  await keepSession(page, stack)
})

const people = new Intl.Collator('zh-CN', { numeric: true })

test('gateways are ordered by name, up and down; a link, going back and the export have the same order', async ({
  page,
  stack,
}) => {
  const names = [...stack.server.plant.gateways.values()].map(({ name }) => name).sort(people.compare)
  expect(names.length).toBeGreaterThan(2)
  await page.goto('/system/geteway')
  const head = page.getByRole('columnheader', { name: '网关名称' })
  const cells = page.locator('.query-table tbody td[data-head="网关名称"]')
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(cells).toHaveText(names.slice(0, 10))
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expect(cells).toHaveText([...names].reverse().slice(0, 10))
  await page.reload()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expect(cells).toHaveText([...names].reverse().slice(0, 10))
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '导出' }).click()])
  const [, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(rows.map((row) => row.split(',')[0])).toEqual([...names].reverse().map((name) => `"${name}"`))
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'none')
  await expect(page).not.toHaveURL(/sort=/)
})

test('a list that could not be fetched keeps the button while it is asked for again, and no rows of another question come back', async ({
  page,
  problems,
}) => {
  await page.goto('/system/city')
  const rows = page.locator('.query-table tbody tr')
  await expect(rows.first()).toBeVisible()
  await page.route(/\/citys\/query$/, (route) => route.fulfill({ status: 503, body: '' }))
  await page.getByRole('searchbox').fill('没有这样的分组')
  const again = page.getByRole('button', { name: '重试' })
  await expect(again).toHaveAttribute('aria-busy', 'false')
  await again.press('Enter')
  await expect(again).toHaveAttribute('aria-busy', 'true')
  await expect(again).toBeFocused()
  await expect(rows).toHaveCount(0)
  await expect(again).toHaveAttribute('aria-busy', 'false')
  await expect(again).toBeFocused()
  await page.unrouteAll()
  await again.press('Enter')
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
  forgive(problems, /status of 503/)
})

test('a filter whose choices could not be fetched says so, keeps what is in force, and is filled when it is tried again', async ({
  page,
  stack,
}) => {
  const [project] = stack.server.plant.projects.values()
  if (!project) throw new Error('the plant has no project')
  const { city_id } = await stack.server.database.general
    .selectFrom('project')
    .select('city_id')
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  const fails = /\/houses\/list\/(lookup|city)$/
  const again = page.getByRole('button', { name: '重试' })
  const alert = page.getByRole('alert').filter({ hasText: '筛选项加载失败：名称读取失败' })
  // Said by the server: it is not tried again before a person does.
  const json = { Code: 0, Message: 'failed', Text: { zh: '名称读取失败', en: 'The names could not be read' } }
  for (const [path, name, filter] of [
    ['/system/geteway', '全部项目', 'HouseID'],
    ['/system/devLists', '全部项目', 'HouseID'],
    ['/system/project', '全部分组', 'CityID'],
  ] as const) {
    const value = String(filter === 'CityID' ? city_id : project.id)
    await page.route(fails, (route) => route.fulfill({ json }))
    await page.goto(`${path}?${filter}=${value}`)
    await expect(alert).toBeVisible()
    const box = page.getByRole('combobox', { name })
    await expect(box).toHaveValue(value)
    await page.unrouteAll()
    await again.click()
    await expect(alert).toHaveCount(0)
    if (filter === 'HouseID') await expect(box).toHaveValue(project.name)
    else await expect(box.locator('option:checked')).not.toHaveText(value)
  }
})

test('every head that offers an order is obeyed', async ({ page }) => {
  const ordered: string[] = []
  for (const path of await builtRoutes()) {
    await page.goto(path)
    await expect(page.locator('h1, .void b').first()).toBeVisible()
    const heads = page.locator('.query-table thead th[aria-sort]')
    for (let index = 0; index < (await heads.count()); index += 1) {
      const head = heads.nth(index)
      const asked = page.waitForResponse(
        (response) => response.request().method() !== 'PUT' && /Sort/.test(response.request().postData() ?? response.url()),
      )
      await head.getByRole('button').click()
      expect([path, (await (await asked).json()).Code]).toEqual([path, 1])
      await expect(head).toHaveAttribute('aria-sort', 'ascending')
      ordered.push(path)
    }
  }
  for (const path of [
    '/system/project',
    '/system/city',
    '/system/geteway',
    '/system/users',
    '/system/roles',
    '/system/log',
    '/devmon/ledger',
  ])
    expect(ordered).toContain(path)
})

test('what can be done with a row is in sight at 1,280 px, in English too', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.goto('/system/geteway')
  const table = page.locator('.query-table .scroll')
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  expect(await table.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true)
  await table.getByRole('row').nth(1).locator('.row-actions button').last().click({ trial: true })
  const box = await table.getByRole('row').nth(1).locator('.row-actions').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1280)
})
