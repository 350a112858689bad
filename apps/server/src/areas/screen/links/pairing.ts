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
import { refuseWithLess } from './link-scope.ts'
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
/** So many wrong codes of an account, and of all accounts of one administrator, in a quarter of an hour. */
const maxWrong = 5
const maxWrongOfTenant = 50

/** A wall without a key shows six digits, and somebody says which link it shows. */
export function createPairing({ database, clock, links }: Deps) {
  const db = database.general
  const asked = new Limits(20, 20 / quarterS)
  const wrong = new Limits(maxWrong, maxWrong / quarterS)
  const wrongOfTenant = new Limits(maxWrongOfTenant, maxWrongOfTenant / quarterS)
  return { pair, screenOfCode: ofCode, approve }

  /** A code for a wall without a key. */
  async function pair({ Browser = '' }: Request<typeof pairScreen>['body'], address: string): Promise<Reply<typeof pairScreen>> {
    const now = clock()
    if (!asked.take(networkOf(address), now)) throw new Refusal('too many requests')
    await pairings.deletePairingsBefore(db, now)
    // Whoever asks from many addresses takes the place of their own codes, and not that of a wall.
    await pairings.deleteBeyond(db, maxWaiting)
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
    refuseWithLess(actor)
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

  /** Codes are few: whoever tries one after the other is stopped, also who tries many at once. */
  async function counted<T>({ accountId, tenant }: Actor, look: () => Promise<T | undefined>): Promise<T> {
    const now = clock()
    const whose = tenant ?? accountId
    if (wrong.left(accountId, now) < 1 || wrongOfTenant.left(whose, now) < 1) throw new Refusal('too many requests')
    wrong.take(accountId, now)
    wrongOfTenant.take(whose, now)
    const found = await look()
    if (found === undefined) throw new Refusal('screen code wrong')
    wrong.giveBack(accountId, now)
    wrongOfTenant.giveBack(whose, now)
    return found
  }
}
