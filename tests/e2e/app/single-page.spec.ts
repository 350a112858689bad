import type { Page as PageData } from '@linewarden/contract'
import { operateLine, pages, reportPages } from '@linewarden/contract'
import { builtRoutes } from '../built-routes.ts'
import { enter } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

/**
 * A role that holds a single page: whatever that page asks for first must be answered, and so must the next thing that anybody does there. A call that is
 * refused would stand in the browser's console, and fail the test.
 */

const password = 'Single-7391'
const all = (pages as readonly PageData[]).flatMap(({ key: section, subs = [] }) => subs.map((sub) => ({ section, sub })))

for (const [index, { section, sub }] of all.entries())
  test(`${sub.name.en} alone shows what it has`, async ({ page, stack }) => {
    const built = await builtRoutes()
    const routes = sub.key === 'system.report' ? reportPages.map(({ route }) => route as string) : [sub.route]
    test.skip(!routes.some((route) => built.has(route)), 'not built yet')
    const { accounts, plant } = stack.server
    const userName = `138000003${String(index).padStart(2, '0')}`
    const roleId = await accounts.createRole({ number: userName, name: sub.key, privileges: [section, sub.key], buttons: [] })
    const projectIds = [...plant.projects.keys()].slice(0, 1)
    await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds })
    const refused: string[] = []
    page.on('response', (reply) => {
      if (reply.status() === 403) refused.push(`${reply.request().method()} ${new URL(reply.url()).pathname}`)
    })
    const answered = async () => {
      await page.waitForLoadState('networkidle')
      await expect(page.locator('main')).toBeVisible()
      await expect(page.getByText('没有权限', { exact: true })).toHaveCount(0)
      expect(refused).toEqual([])
    }

    await enter(page, { ...stack, admin: { userName, password } }, '/')
    // The page they begin with is their own, not one that they may not open.
    await expect(page).toHaveURL(new RegExp(`${routes.find((each) => built.has(each))}(\\?|$)`))
    for (const route of routes.filter((each) => built.has(each))) {
      await page.goto(route)
      await expect(page).toHaveURL(new RegExp(`${route}(\\?|$)`))
      await answered()
    }
    if (sub.key === 'devmon.selftests')
      for (const view of ['all', `quiet&at=house:${projectIds[0]}`]) {
        await page.goto(`${sub.route}?view=${view}`)
        await answered()
      }
    if (sub.key === 'devmon.ledger') {
      const line = [...plant.lines.values()].find(
        ({ device }) => device.gateway.project.id === projectIds[0] && device.family.level === 'line',
      )
      const params = { ControllerID: line?.device.controllerId ?? '', LineNo: line?.lineNo ?? 0, attr: 'trip' as const }
      await stack.client.call(operateLine, { params, body: { CommandID: crypto.randomUUID(), Reason: '检修' } })
      await page.reload()
      await page.getByRole('button', { name: '步骤' }).first().click()
      await expect(page.getByRole('dialog', { name: '操作步骤' })).toContainText('通过全部检查')
      await answered()
    }
  })
