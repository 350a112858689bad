import type { UserInfo } from '@linewarden/contract'
import { MustChange } from './must-change.tsx'
import { MustEnrol } from './must-enrol.tsx'

/** What somebody has to do before there is any other page: a password of their own, then the second factor. */
export function FirstSteps({ user }: { user: UserInfo }) {
  return user.MustChangePassword ? <MustChange userId={user.UserID} /> : <MustEnrol userId={user.UserID} />
}
