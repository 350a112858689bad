import { CallError } from '@linewarden/client'
import { logout } from '@linewarden/contract'
import { api, briefly } from '../net/api.ts'
import { ending, leave } from './session.ts'

/**
 * Ends this session here and on the server. Who goes away from this device is signed out of it, whatever the network says to that; that the
 * server did not confirm it is told on the login page (docs/adr/0029).
 */
export async function signOut(userId: string): Promise<void> {
  leave(await ending(() => api.call(logout, { body: { UserID: userId } }, briefly)).then(() => true, isOver))
}

/** A session that the server no longer knows has ended. */
const isOver = (error: unknown): boolean => error instanceof CallError && error.endsSession
