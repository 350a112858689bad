import { violations } from './axe.ts'
import { builtRoutes } from './built-routes.ts'
import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

/** A small phone. */
const viewport = { width: 360, height: 740 }

for (const language of ['CN', 'EN'] as const)
  test(`on a phone every page fits its width and can be read by everybody, ${language}`, async ({ page, stack }) => {
    test.setTimeout(240_000)
    await page.setViewportSize(viewport)
    await page.addInitScript((to) => localStorage.setItem('linewarden.language', to), language)
    const wide: string[] = []
    const look = async (path: string) => {
      const width = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth))
      if (width > viewport.width) wide.push(`${path}: ${width} px`)
      // What is wider than the page and cannot be scrolled to is lost.
      const lost = await page.evaluate((most) => {
        const scrolls = (element: Element | null): boolean =>
          element !== null && (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
        return [...document.querySelectorAll('main button, main input, main select, main h1')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !scrolls(element.parentElement))
          .filter((element) => element.getBoundingClientRect().right > most + 0.5)
          .map((element) => element.outerHTML.slice(0, 120))
      }, viewport.width)
      for (const each of lost) wide.push(`${path}: ${each}`)
      for (const each of await violations(page)) wide.push(`${path}: ${each}`)
    }
    await page.goto('/login')
    await expect(page.getByRole('button', { name: /^(登录|Sign in)$/ })).toBeVisible()
    await look('/login')
    await signIn(page, stack)
    await expect(page).toHaveURL(/realtime/)
    for (const path of await builtRoutes()) {
      await page.goto(path)
      await expect(page.locator('h1, .void b').first()).toBeVisible()
      await expect(page.getByRole('status', { name: /^(加载中|Loading)$/ })).toHaveCount(0)
      await look(path)
    }
    expect(wide).toEqual([])
  })
