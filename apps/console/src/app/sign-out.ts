import { logout } from '@linewarden/contract'
import { api, briefly } from './api.ts'
import { ending, leave } from './session.ts'

/** Ends this session here and on the server. Who goes away from this device is signed out of it, whatever the network says to that. */
export async function signOut(userId: string): Promise<void> {
  await ending(() => api.call(logout, { body: { UserID: userId } }, briefly)).catch(() => {})
  leave()
}
