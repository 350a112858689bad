import type { RightsChange } from '../plant/hub.ts'
import type { SessionKey, StoredSession } from '../store/account/session.ts'
import type { Actor } from './actor.ts'

/** What whoever answers a request asks of accounts: who signed it, and whether they may still. The area `account` answers. */
export interface SessionCheck {
  /** Sessions of an account that are alive, with their tokens unsealed; asked on the connections of trips, or of lists. */
  candidates(accountId: string, lane: 'control' | 'general'): Promise<StoredSession[]>
  /** Whose account this is, and in whose log it stands; null: nobody's. */
  named(accountId: string): Promise<{ userName: string; tenant: string | null } | null>
  /** Whether this session says so for the first time. `timeStamp` in Unix seconds. */
  takeNonce(sessionId: string, timeStamp: number, nonce: string): Promise<boolean>
  /** The same of a call before login. */
  takeOpenNonce(timeStamp: number, nonce: string): Promise<boolean>
  /** Who this is, as the account and its role are now; null when the account is gone. `provedAt` in Unix ms; `key` of a machine. */
  actorOf(
    accountId: string,
    sessionId: string,
    address: string,
    provedAt: number | null,
    key?: SessionKey | null,
  ): Promise<Actor | null>
  /** The same person with the rights of now; null when the session or the account is over. */
  stillIn(actor: Actor): Promise<Actor | null>
  /** Notes that the session was used. */
  touch(session: Pick<StoredSession, 'sessionId' | 'rememberId' | 'lastUsedAt'>): Promise<void>
  onSessionEnd(listener: (sessionId: string) => void): void
  onRightsChange(listener: (change: RightsChange) => void): void
}
