import type { ScreenView } from '@linewarden/contract'
import { create } from 'zustand'
import { onSessionChange } from '../../../app/session/session.ts'
import { changeLanguage, language } from '../../../ui/i18n.ts'

/** What the link of this wall says of it; null: a person opened it. */
export const useWallLink = create<{ readonly link: ScreenView['Link'] | null }>(() => ({ link: null }))

onSessionChange(() => useWallLink.setState({ link: null }))

/** A wall is in the language and the theme of its link, whatever somebody chose on this machine before. */
export function showLink(link: ScreenView['Link']): void {
  const { Language, Theme } = link
  if (JSON.stringify(useWallLink.getState().link) !== JSON.stringify(link)) useWallLink.setState({ link })
  document.documentElement.dataset.theme = Theme
  if (Language !== language()) changeLanguage(Language)
}
