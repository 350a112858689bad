import { vi } from 'vitest'
import { firstTexts } from '../areas/first-texts.ts'
import { pageTexts } from '../areas/page-texts.ts'
import { addTexts, startTexts } from '../ui/i18n.ts'
import { stubBrowser } from './test-browser.ts'

/** The texts behind the login, as the areas' manifests and their pages have them; what else those name is made for a browser. */
export async function areaTexts() {
  stubBrowser()
  return { ...(await import('../areas/areas.ts')).texts, ...pageTexts }
}

/** A test's browser with every text of the console, in Chinese. */
export async function startTestTexts(): Promise<void> {
  const texts = await areaTexts()
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  startTexts(firstTexts)
  addTexts(texts)
}
