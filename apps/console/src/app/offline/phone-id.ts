import { newId } from '../net/new-id.ts'

const key = 'linewarden.phone'

/** Made once by this browser: answers of two phones to the same item are told apart by it. */
export function phoneId(): string {
  const kept = localStorage.getItem(key)
  if (kept !== null) return kept
  const made = newId()
  localStorage.setItem(key, made)
  return made
}

/** Whether rounds were ever walked with this browser: only then there can be something that waits. */
export const hasPhoneRounds = (): boolean => localStorage.getItem(key) !== null
