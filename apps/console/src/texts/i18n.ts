import type { Text } from '@linewarden/equipment'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { enUS } from './en-us.ts'
import { zhCN } from './zh-cn.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: typeof zhCN
  }
}

export type Language = 'CN' | 'EN'

const key = 'linewarden.language'

/** The language kept on this device; Chinese when none was chosen. */
export const language = (): Language => (localStorage.getItem(key) === 'EN' ? 'EN' : 'CN')

/** Keeps the language and loads the page anew, as the specification has it. */
export function changeLanguage(to: Language): void {
  localStorage.setItem(key, to)
  location.reload()
}

/** Starts the texts; before the first draw. */
export function startTexts(): void {
  const lng = language() === 'EN' ? 'en-US' : 'zh-CN'
  document.documentElement.lang = lng
  void i18next.use(initReactI18next).init({
    lng,
    fallbackLng: 'zh-CN',
    defaultNS: 'app',
    resources: { 'zh-CN': zhCN, 'en-US': enUS },
    interpolation: { escapeValue: false },
  })
}

/** A text that comes with the data, in the person's language. */
export const said = (text: Text): string => (language() === 'EN' ? text.en : text.zh)
