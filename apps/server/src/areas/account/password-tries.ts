import { Refusal } from '@linewarden/contract'
import type { Gate } from '@linewarden/rules/account'
import { networkOf } from '@linewarden/rules/account'

/** Tries at the password of an account from one network share their count, whether they sign in or prove a session. */
export const passwordTries = (userName: string, address: string): string =>
  `login ${userName.toLowerCase()} ${networkOf(address)}`

/** The refusal of whoever failed too often. */
export function locked(key: 'account locked' | 'control locked', closed: Gate & { open: false }, now: number): Refusal {
  return new Refusal(key, { minutes: Math.max(1, Math.ceil((closed.until - now) / 60_000)) })
}
