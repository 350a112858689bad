import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What WCAG 2.2 AA finds wrong with the page as it is now, once its colours have come to rest: a theme fades in. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  await page.evaluate(axe)
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then((result) => result.violations.map((each) => each.id + ' ' + each.nodes[0].html.slice(0, 160)))`,
  )
  return found as string[]
}

/** Buttons that cannot be pressed and do not say why: not to a pointer, nor to a keyboard or a screen reader. */
export const unreasoned = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLButtonElement>('button:disabled, button[aria-disabled=true]')].flatMap((each) => {
      const reason = each.getAttribute('aria-describedby')
      const isTold = reason !== null && document.getElementById(reason)?.textContent !== ''
      if (isTold || !each.checkVisibility() || each.closest('.calendar') || each.type === 'submit') return []
      return [`no reason ${each.outerHTML.slice(0, 160)}`]
    }),
  )
