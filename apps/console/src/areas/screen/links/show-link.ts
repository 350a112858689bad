import type { ScreenView } from '@linewarden/contract'
import { changeLanguage, language } from '../../../ui/i18n.ts'

/** A wall is in the language and the theme of its link, whatever somebody chose on this machine before. */
export function showLink({ Language, Theme }: ScreenView['Link']): void {
  document.documentElement.dataset.theme = Theme
  if (Language !== language()) changeLanguage(Language)
}
