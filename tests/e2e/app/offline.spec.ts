import type { Page } from '@playwright/test'
import { signIn } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ serviceWorkers: 'allow' })

/** Signed in on the live page, with the service worker in charge. */
async function installed(page: Page): Promise<void> {
  await expect(page.getByRole('row', { name: '1层照明一' })).toContainText('合闸')
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
}

/** There is no network: the browser says so, too. */
const ofTheNetwork = /Failed to load resource|WebSocket connection to/

test('opened without a network the console says so, shows no values, and goes on by itself', async ({
  page,
  context,
  stack,
  problems,
}) => {
  await page.goto('/login')
  await signIn(page, stack)
  await installed(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('无法连接服务器')
  await expect(page.getByRole('row')).toHaveCount(0)
  await context.setOffline(false)
  await expect(page).toHaveURL(/realtime/)
  await installed(page)
  forgive(problems, ofTheNetwork)
})

test('the worker keeps built files, and nothing that the server answers', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await installed(page)
  const kept = await page.evaluate(async () => {
    const addresses: string[] = []
    for (const key of await caches.keys())
      for (const { url } of await (await caches.open(key)).keys()) addresses.push(new URL(url).pathname)
    return addresses
  })
  expect(kept).toContain('/index.html')
  expect(kept.filter((each) => !/^\/(index\.html|logo\.svg|assets\/)/.test(each))).toEqual([])
})

test('the console can be installed: its manifest names icons that are there', async ({ page, request }) => {
  await page.goto('/login')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await (await request.get(href ?? '')).json()
  expect(manifest.name).toBe('通用智能管理平台')
  for (const { src, type } of manifest.icons) {
    const icon = await request.get(src)
    expect(icon.ok()).toBe(true)
    expect(icon.headers()['content-type']).toContain(type)
  }
})
