/// <reference lib="dom" />
import type { Page } from '@playwright/test'

/**
 * Resolves when the page says this for a moment. It watches in the page itself, from before it is brought about: whoever looks now and
 * then may be too late. `await Promise.all([said(page, '...'), button.click()])`
 */
export const announced = (page: Page, text: string): Promise<void> =>
  page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (![...document.querySelectorAll('.toasts p')].some((each) => each.textContent.includes(wanted))) return
          watch.disconnect()
          resolve()
        }
        const watch = new MutationObserver(look)
        watch.observe(document, { childList: true, subtree: true })
        look()
      }),
    text,
  )
