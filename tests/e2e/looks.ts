/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'

export const wide = { width: 1280, height: 720 }
export const phone = { width: 360, height: 740 }

/** What of the page does not fit its width, once whatever slides in has come to rest. */
export async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // One that is paused, or never ends, is waited for in vain.
    const ending = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && Number.isFinite(Number(effect?.getComputedTiming().endTime)))
    await Promise.allSettled(ending.map(({ finished }) => finished))
    const most = innerWidth
    const width = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)
    // What is wider than the page and cannot be scrolled to is lost.
    const scrolls = (element: Element | null): boolean =>
      element !== null && (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const lost = [...document.querySelectorAll('main button, main input, main select, main h1')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !scrolls(element.parentElement))
      .filter((element) => element.getBoundingClientRect().right > most + 0.5)
      .map((element) => element.outerHTML.slice(0, 120))
    return width > most ? [`${width} px`, ...lost] : lost
  })
}

/** Until nothing is on its way any more. */
export async function arrived(page: Page): Promise<void> {
  await expect(page.locator('h1, .void b').first()).toBeVisible()
  await expect(page.getByRole('status', { name: /^(加载中|Loading)$/ })).toHaveCount(0)
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
}
