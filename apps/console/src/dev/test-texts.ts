import { vi } from 'vitest'
import { firstTexts } from '../areas/first-texts.ts'
import { areas } from '../areas/texts.ts'
import { addTexts, startTexts } from '../ui/i18n.ts'
import { stubBrowser } from './test-browser.ts'

/** A test's browser with every text of the console, in Chinese. */
export function startTestTexts(): void {
  stubBrowser()
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  startTexts(firstTexts)
  addTexts(areas)
}
