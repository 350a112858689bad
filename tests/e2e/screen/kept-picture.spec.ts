import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import { ofTheNetwork } from '../on-weak-network.ts'
import { signIn } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan }, serviceWorkers: 'allow' })

const band = (page: Page) => page.getByRole('alert').filter({ hasText: '画面已停在' })

test('W7: loaded without the server the wall shows its last picture, marked as stopped, and goes on by itself', async ({
  page,
  context,
  stack,
  problems,
}) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
  await page.clock.install()
  await page.goto('/bigScreen')
  await expect(page.getByRole('region', { name: '概况', exact: true })).toContainText('kW')
  await expect(page.locator('.link-state')).toContainText('链路正常')
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.clock.runFor(31_000)
  // It is on the disk, and the worker has the files of the page.
  await expect
    .poll(() =>
      page.evaluate(async () => {
        // Whoever opens a database that is not there makes an empty one.
        if (!(await indexedDB.databases()).some(({ name }) => name === 'linewarden-wall')) return 0
        return new Promise((resolve) => {
          const asked = indexedDB.open('linewarden-wall')
          asked.onsuccess = () => {
            const { result } = asked
            const count = result.transaction('picture').objectStore('picture').count()
            count.onsuccess = () => {
              result.close()
              resolve(count.result)
            }
          }
        })
      }),
    )
    .toBe(1)
  await page.reload()
  await expect(page.locator('.link-state')).toContainText('链路正常')
  await context.setOffline(true)
  await page.reload()
  await expect(band(page)).toBeVisible()
  await expect(page.locator('.kept-picture')).toContainText('总有功')
  await expect(page.locator('.kept-picture .wall')).toHaveClass(/stopped/)
  await context.setOffline(false)
  await expect(page.locator('.kept-picture')).toHaveCount(0)
  await expect(page.locator('.link-state')).toContainText('链路正常')
  forgive(problems, ofTheNetwork)
})
