import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, test as plain } from '@playwright/test'
import type { ViteDevServer } from 'vite'
import { createServer } from 'vite'
import { violations } from '../axe.ts'

/** The gallery is there only while developing: it is served as a developer's server serves it. */
const test = plain.extend<object, { dev: ViteDevServer }>({
  dev: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const root = fileURLToPath(new URL('../../../apps/console', import.meta.url))
      const dev = await createServer({ root, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } })
      await dev.listen()
      await use(dev)
      await dev.close()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ dev }, use) => use(dev.resolvedUrls?.local[0] ?? ''),
})

async function open(page: Page, language: 'CN' | 'EN'): Promise<void> {
  await page.addInitScript((to) => localStorage.setItem('linewarden.language', to), language)
  // It asks a server for nothing but the brand, and there is none.
  await page.route('**/api/**', (route) => route.fulfill({ json: { Code: 0, Message: 'failed', Text: { zh: '', en: '' } } }))
  await page.goto('/dev/gallery')
  await expect(page.getByRole('region', { name: 'dark' })).toBeVisible({ timeout: 60_000 })
}

/** What ages, pop-ups and the banner say, each in every state. */
const words = {
  CN: {
    marks: ['旧', '钟', '旧', '钟'],
    pops: [...Array(5).fill('确认 查看'), '查看', '', '查看'],
    order: '工单新工单：设备维修',
    away: '无法连接服务器',
    retry: '重试',
    downloads: ['正在下载', '正在下载', '下载完成', '下载未完成'],
    exports: ['导出中 0%，点击停止', '导出失败，重试'],
    failed: '网络错误',
    unforeseen: '发生意外错误，结果未知；请先核实，再决定是否重试',
  },
  EN: {
    marks: ['old', 'clk', 'old', 'clk'],
    pops: [...Array(5).fill('Acknowledge View'), 'View', '', 'View'],
    order: 'Work orderNew work order: device repair',
    away: 'The server cannot be reached',
    retry: 'Try again',
    downloads: ['Downloading', 'Downloading', 'Downloaded', 'Download incomplete'],
    exports: ['Exporting 0 %, click to stop', 'Export failed, try again'],
    failed: 'Network error',
    unforeseen: 'Something went wrong and the outcome is unknown. Check before you try again',
  },
}

for (const language of ['CN', 'EN'] as const)
  test(`every primitive is drawn in both themes, and can be read by everybody, ${language}`, async ({ page }) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await open(page, language)
    for (const theme of ['light', 'dark']) {
      const section = page.getByRole('region', { name: theme, exact: true })
      await expect(section.locator('main.page h1')).toHaveText('实时监控')
      await expect(section.locator('.strip').first()).toContainText('2')
      await expect(section.locator('.history-chart canvas').first()).toBeVisible()
      await expect(section.locator('nav.pages').first()).toContainText('57')
      const { marks, pops, order, away, retry, downloads, exports, failed } = words[language]
      await expect(section.locator('.ages .quality')).toHaveText(marks)
      await expect(section.locator('.ages > .mute')).toHaveText('–')
      // Which buttons each has, and whoever may not act has none.
      const buttons = section
        .locator('.pop')
        .evaluateAll((all) =>
          all.map((each) => [...each.querySelectorAll('.act button')].map((one) => one.textContent).join(' ')),
        )
      expect(await buttons).toEqual(pops)
      await expect(section.locator('.pop.order')).toContainText(order)
      // Each name of a place by itself, as the server's way of writing it is taken apart.
      await expect(section.locator('.pop').first().locator('.where bdi')).toHaveText([
        '华东精密制造',
        '1# 低压配电室',
        /^一个相当长的/,
      ])
      await section.getByRole('alert').filter({ hasText: away }).getByRole('button', { name: retry }).click()
      await expect(section.getByText('Asked again: 1')).toBeVisible()
      await expect(section.locator('.download [role=status]')).toHaveText(
        downloads.map((words) => `${words} history-2026-01-15.csv`),
      )
      const exporting = section.locator('.exports .btn')
      for (const index of [0, 1]) await exporting.nth(index).click()
      await expect(exporting).toHaveText(exports)
      await expect(section.locator('.thirds .void b').last()).toHaveText(failed)
    }
    expect(await violations(page)).toEqual([])
    const section = page.getByRole('region', { name: 'light', exact: true })
    for (const [name, label] of [
      ['Drawer …', '1层照明一'],
      ['Dialog …', '执行过程'],
      ['Form …', '新建分组'],
    ] as const) {
      await section.getByRole('button', { name }).click()
      await expect(page.getByRole('dialog', { name: label })).toBeVisible()
      expect([name, ...(await violations(page))]).toEqual([name])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await section.getByRole('button', { name: 'A mistake …' }).click()
    const broken = page.getByRole('dialog', { name: '编辑分组' })
    const save = broken.getByRole('button', { name: '保存' })
    // Told, and ready to be sent again: what was entered is not lost.
    for (const sent of [1, 2]) {
      await save.click()
      await expect(broken.getByRole('alert')).toHaveText(words[language].unforeseen)
      await expect(save).toBeEnabled()
      await expect.poll(() => problems).toHaveLength(sent)
    }
    expect(new Set(problems.splice(0))).toEqual(new Set(['a mistake of ours']))
    await page.keyboard.press('Escape')
    await section.getByRole('button', { name: 'Shown once …' }).click()
    const once = page.getByRole('dialog', { name: '网关密钥' })
    await page.keyboard.press('Escape')
    await expect(once).toBeVisible()
    expect(await violations(page)).toEqual([])
    await once.getByRole('button', { name: '已保存' }).click()
    await section.getByRole('button', { name: 'Toast: refusal' }).click()
    const toast = page.locator('#root > .toasts')
    await expect(toast).toContainText('默认分组不能删除')
    await expect(toast).not.toContainText('默认分组不能删除')
    expect(problems).toEqual([])
  })

test('a column head orders by keyboard, and the address keeps the order', async ({ page }) => {
  await open(page, 'CN')
  const table = page.getByRole('region', { name: 'light', exact: true }).getByRole('table', { name: 'rows', exact: true })
  const head = table.getByRole('columnheader', { name: '名称' })
  await expect(head).toHaveAttribute('aria-sort', 'none')
  await head.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(/sort=name/)
  await page.keyboard.press('Enter')
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expect(page).toHaveURL(/sort=-name/)
  await page.keyboard.press('Enter')
  await expect(head).toHaveAttribute('aria-sort', 'none')
})
