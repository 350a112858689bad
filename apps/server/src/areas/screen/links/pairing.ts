import type { pairScreen, Reply, Request, ScreenLink, screenOfCode } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import { networkOf } from '@linewarden/rules/account'
import type { Actor } from '../../../access/actor.ts'
import { by } from '../../../audit/audited.ts'
import { Limits } from '../../../lib/limits.ts'
import { appendAudit } from '../../../store/audit/append.ts'
import type { Database } from '../../../store/core/database.ts'
import * as pairings from '../../../store/screen/pairing.ts'
import { newToken, tokenHash } from '../../account/token.ts'
import { newCode } from './link-key.ts'
import type { ScreenLinks } from './link-service.ts'
import { refuseGuests } from './link-service.ts'

export type Pairing = ReturnType<typeof createPairing>

interface Deps {
  readonly database: Database
  readonly clock: () => number
  readonly links: Pick<ScreenLinks, 'seen' | 'recordOf'>
}

const pairingMs = 10 * 60_000
const quarterS = 900
/** Codes that wait at once: with more of them one would be easy to hit. */
const maxWaiting = 1_000
/** So many wrong codes of a network, and of an account, in a quarter of an hour. */
const maxWrong = 5

/** A wall without a key shows six digits, and somebody says which link it shows. */
export function createPairing({ database, clock, links }: Deps) {
  const db = database.general
  const asked = new Limits(20, 20 / quarterS)
  const wrong = new Limits(maxWrong, maxWrong / quarterS)
  return { pair, screenOfCode: ofCode, approve }

  /** A code for a wall without a key. */
  async function pair({ Browser = '' }: Request<typeof pairScreen>['body'], address: string): Promise<Reply<typeof pairScreen>> {
    const now = clock()
    if (!asked.take(networkOf(address), now)) throw new Refusal('too many requests')
    await pairings.deletePairingsBefore(db, now)
    if ((await pairings.countPairings(db)) >= maxWaiting) throw new Refusal('too many requests')
    const Claim = newToken()
    const ExpiresAt = now + pairingMs
    for (let tries = 0; tries < 20; tries++) {
      const Code = newCode()
      const row = { code: Code, claimHash: tokenHash(Claim), address, browser: Browser, expiresAt: ExpiresAt }
      if (await pairings.insertPairing(db, row)) return { Code, Claim, ExpiresAt }
    }
    throw new Refusal('too many requests')
  }

  /** Which wall shows this code: whoever approves it looks whether that is the one before them. */
  async function ofCode(actor: Actor, code: string): Promise<Reply<typeof screenOfCode>> {
    refuseGuests(actor)
    const { address, browser, expires_at } = await counted(actor, async () => pairings.waitingPairing(db, code, clock()))
    return { Address: address, Browser: browser, ExpiresAt: expires_at.getTime() }
  }

  async function approve(actor: Actor, code: string, linkId: number): Promise<ScreenLink> {
    const link = await links.seen(actor, linkId)
    if (link.revoked_at) throw new Refusal('screen over')
    const now = clock()
    const waiting = await counted(actor, async () => pairings.waitingPairing(db, code, now))
    const isApproved = await db.transaction().execute(async (trx) => {
      if (!(await pairings.approvePairing(trx, code, linkId, now))) return false
      await appendAudit(trx, {
        ...by(actor, now, 'screen.approve', link.owner_id),
        ...{ subject: about('screen', linkId), target: link.name, after: { address: waiting.address, browser: waiting.browser } },
      })
      return true
    })
    if (!isApproved) throw new Refusal('screen code wrong')
    return links.recordOf(link)
  }

  /** Codes are few: whoever tries one after the other is stopped. */
  async function counted<T>(actor: Actor, look: () => Promise<T | undefined>): Promise<T> {
    const now = clock()
    const keys = [networkOf(actor.address), actor.accountId]
    if (keys.some((key) => wrong.left(key, now) < 1)) throw new Refusal('too many requests')
    const found = await look()
    if (found !== undefined) return found
    for (const key of keys) wrong.take(key, now)
    throw new Refusal('screen code wrong')
  }
}
