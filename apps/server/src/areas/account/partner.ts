import { createHmac, timingSafeEqual } from 'node:crypto'
import type { partnerLogin, Reply, Request } from '@linewarden/contract'
import { Refusal, replayWindowMs } from '@linewarden/contract'
import type { Config } from '../../config.ts'
import type { Accounts } from './service.ts'

/** Nonces of partners are remembered apart from those of sessions; session ids begin at 1. */
const partnerSession = '-1'

/**
 * Sign-on by a registered partner, by account name alone and only with the partner's signature. Whoever is not that partner learns nothing
 * but that, whatever account they name. Nobody who runs the installation comes in this way.
 */
export function createPartnerLogin({
  config,
  accounts,
  clock,
}: {
  config: Pick<Config, 'partner'>
  accounts: Pick<Accounts, 'signInAs' | 'takeNonce'>
  clock: () => number
}) {
  return async (
    { AppID, UserName, TimeStamp, Nonce, Signature }: Request<typeof partnerLogin>['body'],
    address: string,
  ): Promise<Reply<typeof partnerLogin>> => {
    const { partner } = config
    if (!partner || partner.appId !== AppID) throw new Refusal('app not registered')
    const text = [AppID, UserName, TimeStamp, Nonce].join('\n')
    const right = createHmac('sha256', partner.secret).update(text).digest()
    if (!timingSafeEqual(right, Buffer.from(Signature, 'hex'))) throw new Refusal('app not registered')
    if (Math.abs(clock() - TimeStamp * 1000) > replayWindowMs) throw new Refusal('clock skewed', { serverTime: clock() })
    if (!(await accounts.takeNonce(partnerSession, TimeStamp, Nonce))) throw new Refusal('nonce replayed')
    return accounts.signInAs(UserName, address)
  }
}
