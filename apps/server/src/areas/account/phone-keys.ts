import { createHmac } from 'node:crypto'
import type { phoneKeys, Reply } from '@linewarden/contract'
import type { Peppers } from './secrets.ts'

/**
 * Keys under which a device keeps what an account has not sent yet (docs/adr/0142). They follow from the server's secrets and the account, so
 * that the same account gets the same ones on every device and after every sign-in, and nothing is stored.
 */
export const phoneKeysOf = (peppers: Peppers, accountId: string): Reply<typeof phoneKeys> => ({
  Keys: peppers.versions.flatMap((Version) => {
    const secret = peppers.keyFor(Version, 'what phones keep')
    return secret ? [{ Version, Key: createHmac('sha256', secret).update(accountId).digest('base64url') }] : []
  }),
})
