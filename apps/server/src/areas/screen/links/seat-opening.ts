import { setTimeout as pause } from 'node:timers/promises'
import type { MessageKey, openScreen, Reply, Request } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import { networkOf } from '@linewarden/rules/account'
import type { SeatEnd } from '@linewarden/rules/screen'
import { linkOver, seatOver, seatSessionMs, secretShown } from '@linewarden/rules/screen'
import type { Kysely } from 'kysely'
import { Limits } from '../../../lib/limits.ts'
import type { Plant } from '../../../plant/plant.ts'
import { appendAudit } from '../../../store/audit/append.ts'
import type { Database } from '../../../store/core/database.ts'
import type { Schema } from '../../../store/core/schema.ts'
import type { LinkRow } from '../../../store/screen/link.ts'
import * as pairings from '../../../store/screen/pairing.ts'
import type { SeatRow } from '../../../store/screen/seat.ts'
import * as stored from '../../../store/screen/seat.ts'
import type { Seal } from '../../account/secrets.ts'
import { newToken, tokenHash } from '../../account/token.ts'
import { newSeatId } from './link-key.ts'
import { projectsShown } from './link-scope.ts'
import { lifeOf } from './seat-life.ts'

export type SeatOpening = ReturnType<typeof createSeatOpening>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly seal: Seal
  readonly clock: () => number
}

interface Caller {
  readonly address: string
  readonly browser: string
}

type Opened = Reply<typeof openScreen>

/** Every failure is answered after this time, whatever it was: a key that was revoked takes as long as one that never was. */
const failedAnswerMs = 250
const quarterS = 900

/** Refusals of what was never given to anybody, or is no more. */
const isGuess: ReadonlySet<MessageKey> = new Set(['screen key wrong', 'screen code wrong'])

const refusals: Readonly<Record<SeatEnd, MessageKey>> = {
  revoked: 'screen revoked',
  expired: 'screen expired',
  taken: 'screen taken',
  idle: 'screen expired',
}

/** How a wall opens without a person: by the secret of its seat, by the key of a link, or by the claim of an approved code. */
export function createSeatOpening({ database, plant, seal, clock }: Deps) {
  // Whoever is nobody waits on the connections of no trip.
  const db = database.general
  const opened = new Limits(300, 2)
  const failed = new Limits(30, 30 / quarterS)
  return { open }

  async function open({ Browser = '', ...shown }: Request<typeof openScreen>['body'], address: string): Promise<Opened> {
    const network = networkOf(address)
    if (!opened.take(network, clock())) throw new Refusal('too many requests')
    const answerable = pause(failedAnswerMs, undefined, { ref: false })
    try {
      return await db.transaction().execute((trx) => admit(trx, shown, { address, browser: Browser }))
    } catch (error) {
      // A wall that waits to be paired asks again and again, and a database that is away says nothing about a key.
      if (error instanceof Refusal && error.key !== 'screen waits') await answerable
      // Only who guesses is counted: a wall with its secret comes in, whoever else is wrong or waits for a place in its network.
      if (error instanceof Refusal && isGuess.has(error.key) && !failed.take(network, clock()))
        throw new Refusal('too many requests')
      throw error
    }
  }

  async function admit(
    trx: Kysely<Schema>,
    { Seat, Key, Claim }: Pick<Request<typeof openScreen>['body'], 'Seat' | 'Key' | 'Claim'>,
    caller: Caller,
  ): Promise<Opened> {
    // First the link and then the seat, as everybody locks them.
    const byKey = Key === undefined ? undefined : await stored.linkByKey(trx, tokenHash(Key))
    const found = Seat === undefined ? undefined : await stored.seatBySecret(trx, tokenHash(Seat))
    const isOther = found && byKey && found.link.link_id !== byKey.link_id
    const over = Seat === undefined || isOther ? null : whyNot(found, tokenHash(Seat), clock())
    if (found && Seat !== undefined && !isOther && over === null) return goOn(trx, found.seat, tokenHash(Seat), caller)
    if (Key !== undefined) {
      if (!byKey) throw new Refusal('screen key wrong')
      // The same browser shows another link now: its place in the former one is free.
      if (found && isOther && Seat !== undefined && whyNot(found, tokenHash(Seat), clock()) === null)
        await stored.renewSeat(trx, found.seat.seat_id, { ended_at: new Date(clock()), ended_why: 'taken' })
      return takeSeat(trx, byKey, caller)
    }
    if (Claim !== undefined) return byClaim(trx, Claim, caller)
    throw new Refusal(over ?? 'screen key wrong')
  }

  /** The seat under a new token; and once a day under a new secret, beside which the one before is good for a while. */
  async function goOn(trx: Kysely<Schema>, seat: SeatRow, hash: string, { address, browser }: Caller): Promise<Opened> {
    const at = new Date(clock())
    const token = newToken()
    const isCurrent = seat.secret_hash === hash
    const rotates = secretShown(isCurrent ? 'current' : 'previous', seat.rotated_at.getTime(), clock()) === 'rotate'
    const next = rotates ? newToken() : null
    // Whoever shows the newest has it: the one before it is needed no more.
    const former = isCurrent ? { previous_hash: next === null ? null : hash, ...(next !== null && { rotated_at: at }) } : {}
    await stored.renewSeat(trx, seat.seat_id, {
      ...{ token: seal.seal(token), token_at: at, last_beat: at, address, browser, ...former },
      ...(next !== null && { secret_hash: tokenHash(next) }),
    })
    return answerOf(clock(), seat.seat_id, token, next)
  }

  async function byClaim(trx: Kysely<Schema>, claim: string, caller: Caller): Promise<Opened> {
    const pairing = await pairings.pairingClaimed(trx, tokenHash(claim))
    if (!pairing || pairing.expires_at.getTime() <= clock()) throw new Refusal('screen code wrong')
    if (pairing.link_id === null) throw new Refusal('screen waits')
    const link = await stored.linkLocked(trx, pairing.link_id)
    if (!link) throw new Refusal('screen key wrong')
    const answer = await takeSeat(trx, link, caller)
    await pairings.deletePairing(trx, pairing.code)
    return answer
  }

  async function takeSeat(trx: Kysely<Schema>, link: LinkRow, { address, browser }: Caller): Promise<Opened> {
    const now = clock()
    const life = lifeOf.link(link)
    const over = linkOver(life, now)
    if (over) throw new Refusal(refusals[over])
    if (projectsShown(plant, link).length === 0) throw new Refusal('screen without projects')
    const inUse = (await stored.openSeats(trx, link.link_id)).filter(
      ({ last_beat }) => seatOver(life, { lastBeat: last_beat.getTime(), endedWhy: null }, now) === null,
    )
    if (inUse.length >= link.most_seats) throw new Refusal('screen in use')
    const [seatId, token, secret] = [newSeatId(), newToken(), newToken()]
    const seat = { seatId, linkId: link.link_id, secretHash: tokenHash(secret), sealedToken: seal.seal(token) }
    await stored.insertSeat(trx, { ...seat, address, browser, now })
    await stored.forgetSeats(trx, link.link_id)
    await appendAudit(trx, {
      ...{ at: now, actor: `screen:${link.name}`, address, action: 'screen.open', tenant: link.owner_id, outcome: 'done' },
      ...{ subject: about('screen', link.link_id), target: link.name, after: { seat: seatId, browser } },
    })
    return answerOf(now, seatId, token, secret)
  }
}

const answerOf = (now: number, UserID: string, Token: string, Seat: string | null): Opened => ({
  ...{ UserID, Token, Seat, ExpiresAt: now + seatSessionMs },
})

/** Why a seat is not let in; null: it is. */
function whyNot(found: { seat: SeatRow; link: LinkRow } | undefined, hash: string, now: number): MessageKey | null {
  if (!found) return 'screen key wrong'
  const { seat, link } = found
  const which = seat.secret_hash === hash ? 'current' : 'previous'
  if (secretShown(which, seat.rotated_at.getTime(), now) === 'wrong') return 'screen key wrong'
  const why = seatOver(lifeOf.link(link), lifeOf.seat(seat), now)
  return why ? refusals[why] : null
}
