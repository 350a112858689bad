/// <reference lib="dom" />
import type { Browser, Page } from '@playwright/test'
import { chromium } from '@playwright/test'
import { findOrInstallChromium } from '../scripts/chromium.ts'

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findOrInstallChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update'],
  })

/** Fills in the login page as a person does. */
export async function signIn(page: Page, { userName, password }: { userName: string; password: string }): Promise<void> {
  await page.getByLabel('账号').fill(userName)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

/** How long this browser takes for a fixed piece of script: what the other figures are to be read against. */
export const scriptSpeed = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const times: number[] = []
    for (let round = 0; round < 7; round++) {
      const before = performance.now()
      const map = new Map<number, string>()
      for (let i = 0; i < 200_000; i++) map.set(i * 7, String(i))
      times.push(performance.now() - before + (map.size === 0 ? 1 : 0))
    }
    return Math.round(times.sort((a, b) => a - b)[3] ?? 0)
  })

/** Errors that the page's own script throws, as they come: a figure of a page that failed says nothing. */
export function errorsOf(page: Page): readonly string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  return errors
}

/** From here on the page keeps how long each of its tasks took that took more than 50 ms. */
export const noteLongTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { longTasks: tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
  })

export const longTasks = (page: Page): Promise<number[]> =>
  page.evaluate(() => [...(window as unknown as { longTasks: number[] }).longTasks])
