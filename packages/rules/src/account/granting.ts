import type { Rights } from './permits.ts'

/** What a role or an account allows. */
export interface Allowed {
  readonly privileges: readonly string[]
  readonly buttons: readonly string[]
}

/**
 * Whether somebody may give these permissions, or manage an account that has them: nobody hands out, or takes over by a new password, what
 * goes beyond their own rights.
 */
export function mayGive(
  giver: Pick<Rights, 'administrator' | 'privileges' | 'buttons' | 'shared'>,
  { privileges, buttons }: Allowed,
): boolean {
  if (giver.shared) return false
  if (giver.administrator) return true
  return privileges.every((each) => giver.privileges.includes(each)) && buttons.every((each) => giver.buttons.includes(each))
}

/** Whether this may be the name of a sub-account: an 11-digit mobile number. */
export const isMobileAccount = (name: string): boolean => /^1[3-9][0-9]{9}$/.test(name)

/**
 * Whether this may be the name of an administrator: a mobile number, or a name of letters, digits, `.`, `_` and `-` that begins with a letter.
 * What happens by itself stands in the log as done by `system`.
 */
export const isAdministratorAccount = (name: string): boolean =>
  isMobileAccount(name) || /^(?!system$)[a-z][A-Za-z0-9._-]{2,31}$/i.test(name)
