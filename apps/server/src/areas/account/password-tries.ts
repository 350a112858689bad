import { networkOf } from '@linewarden/rules/account'

/** Tries at the password of an account from one network share their count, whether they sign in or prove a session. */
export const passwordTries = (userName: string, address: string): string =>
  `login ${userName.toLowerCase()} ${networkOf(address)}`
