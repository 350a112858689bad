import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const everyRule = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }
/** A theme is another set of colours on the same page: nothing else can be wrong with it. */
const rulesOfColour = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What WCAG 2.2 AA finds wrong with the page as it is now, once its colours have come to rest: a theme fades in. */
export async function violations(page: Page, runOnly: typeof everyRule = everyRule): Promise<string[]> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then((result) => result.violations.map((each) => each.id + ' ' + each.nodes[0].html.slice(0, 160)))`,
  )
  return found as string[]
}

/** The same in the light theme and in the dark one; it stays dark. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await violations(page, rulesOfColour)
  return [...light, ...dark.map((each) => `dark: ${each}`)]
}

/** Buttons that cannot be pressed and do not say why: not to a pointer, nor to a keyboard or a screen reader. */
export const unreasoned = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLButtonElement>('button:disabled, button[aria-disabled=true]')].flatMap((each) => {
      const reason = each.getAttribute('aria-describedby')
      const isExplained = reason !== null && document.getElementById(reason)?.textContent !== ''
      if (isExplained || !each.checkVisibility() || each.closest('.calendar') || each.type === 'submit') return []
      return [`no reason ${each.outerHTML.slice(0, 160)}`]
    }),
  )
