import type { TFunction } from 'i18next'

type T = TFunction<['people', 'app']>

/** What is wrong with a new password, in the words of the specification; null: nothing. */
export function passwordProblem(t: T, password: string, most: 18 | null = null): string | null {
  if (password === '') return t('passwordEmpty')
  if (password.length < 6) return t('passwordShort')
  return most !== null && password.length > most ? t('passwordLong') : null
}

export const phone = /^[0-9+() -]{5,24}$/
export const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
