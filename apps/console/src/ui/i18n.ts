import type { Text } from '@linewarden/equipment'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

type Texts = Readonly<Record<string, { readonly zh: object; readonly en: object }>>

export type Language = 'CN' | 'EN'

const key = 'linewarden.language'

/** The language kept on this device; Chinese when none was chosen. */
export const language = (): Language => (localStorage.getItem(key) === 'EN' ? 'EN' : 'CN')

/** Keeps the language and loads the page anew, as the specification has it. */
export function changeLanguage(to: Language): void {
  localStorage.setItem(key, to)
  location.reload()
}

const languageTag = (): 'en-US' | 'zh-CN' => (language() === 'EN' ? 'en-US' : 'zh-CN')

/** Starts the texts with those that are there from the first draw, and before it. */
export function startTexts(first: Texts): void {
  document.documentElement.lang = languageTag()
  void i18next.use(initReactI18next).init({
    lng: languageTag(),
    defaultNS: 'app',
    resources: {},
    interpolation: { escapeValue: false },
  })
  addTexts(first)
}

/** Makes texts known, in the language of this page alone: a change of language loads it anew. */
export function addTexts(texts: Texts): void {
  for (const [name, { zh, en }] of Object.entries(texts))
    i18next.addResourceBundle(languageTag(), name, language() === 'EN' ? en : zh)
}

/** A text that comes with the data, in the person's language. */
export const localised = (text: Text): string => (language() === 'EN' ? text.en : text.zh)
