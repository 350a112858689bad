import type { ButtonPermission } from '@linewarden/contract'
import { mayOpen } from './permitted-pages.ts'
import { useSession } from './session.ts'

/** Whether the person's role has a button. A shared account only reads. The server asks again at every call. */
export const useMay = (button: ButtonPermission): boolean =>
  useSession(({ user }) => user !== null && !user.Shared && (user.Roles.IsAdministrators || user.Roles.LevelBtn.includes(button)))

/** Whether the person may change anything at all. */
export const useMayEdit = (): boolean => useSession(({ user }) => user !== null && !user.Shared)

/** Whether the person's role has a page. */
export const useMayOpen = (path: string): boolean => useSession(({ user }) => user !== null && mayOpen(path, user))
