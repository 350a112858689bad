import { hasPhoneRounds } from './phone-id.ts'

/** Whether this device keeps something of an account that the server has not named yet. What cannot be read now counts as nothing. */
export async function hasUnsent(account: string): Promise<boolean> {
  if (!hasPhoneRounds()) return false
  const { openKept, useKept } = await import('./kept.ts')
  await openKept(account)
  return useKept.getState().entries.some(({ state }) => state !== 'held')
}
