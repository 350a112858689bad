import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What WCAG 2.2 AA finds wrong with the page as it is now. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then((result) => result.violations.map((each) => each.id + ' ' + each.nodes[0].html.slice(0, 160)))`,
  )
  return found as string[]
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`login, live page and drawer can be read and reached by everybody, ${colorScheme}`, async ({ page, stack }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/login')
    await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await signIn(page, stack)
    const row = page.getByRole('row', { name: '1层照明一' })
    await expect(row).toContainText('合闸')
    expect(await violations(page)).toEqual([])
    await row.press('Enter')
    await expect(page.getByRole('region', { name: '合闸许可' })).toContainText('合闸')
    expect(await violations(page)).toEqual([])
  })
}
