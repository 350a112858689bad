import type { SessionCheck } from '../../../access/session-check.ts'
import { isSeatId } from './link-key.ts'

/** Whoever signs is an account or a seat: which of them, its id says. */
export function withSeats(accounts: SessionCheck, seats: SessionCheck): SessionCheck {
  const of = (id: string) => (isSeatId(id) ? seats : accounts)
  return {
    candidates: (id, lane) => of(id).candidates(id, lane),
    named: (id) => of(id).named(id),
    takeNonce: (sessionId, timeStamp, nonce) =>
      (sessionId.startsWith('-') ? seats : accounts).takeNonce(sessionId, timeStamp, nonce),
    takeOpenNonce: (timeStamp, nonce) => accounts.takeOpenNonce(timeStamp, nonce),
    actorOf: (id, ...rest) => of(id).actorOf(id, ...rest),
    stillIn: (actor) => of(actor.accountId).stillIn(actor),
    touch: (session) => (session.sessionId.startsWith('-') ? seats : accounts).touch(session),
    onSessionEnd(listener) {
      accounts.onSessionEnd(listener)
      seats.onSessionEnd(listener)
    },
    onRightsChange(listener) {
      accounts.onRightsChange(listener)
      seats.onRightsChange(listener)
    },
  }
}
