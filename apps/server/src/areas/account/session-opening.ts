import type { AuditAction, login, Reply, Request, resume } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Kysely } from 'kysely'
import type { StoredAccount } from '../../store/account/account.ts'
import * as stored from '../../store/account/account.ts'
import type { StoredKey } from '../../store/account/key.ts'
import { useKey } from '../../store/account/key.ts'
import * as remembered from '../../store/account/remember.ts'
import * as sessions from '../../store/account/session.ts'
import { appendAudit } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { Seal } from './secrets.ts'
import { newToken, tokenHash } from './token.ts'

/** A device that was not used for so long is forgotten; and after so long in all, whatever was used. */
const rememberMs = 7 * dayMs
const maxMs = 90 * dayMs
export const rememberUntil = (now: number): remembered.RememberLimits => ({ expiresAt: now + rememberMs, maxMs })

/** A partner says who it is; nobody has shown a password. */
export const byPartner = 'login.partner'

export interface Way {
  readonly address: string
  /** Under what name it stands in the audit log. */
  readonly action: AuditAction
  readonly remember: boolean
}

interface Deps {
  readonly database: Database
  /** Seals the tokens. */
  readonly seal: Seal
  readonly absoluteMs: number
  readonly sessionEnded: (sessionId: string) => void
  readonly clock: () => number
}

/** How a session begins: for whoever has shown all that the account asks, or on a device that once did. */
export function createSessionOpening({ database, seal, absoluteMs, sessionEnded, clock }: Deps) {
  // Whoever is not signed in yet waits on the connections of no trip.
  const db = database.general
  return { begin, resume: takeUp, beginByKey }

  async function begin(account: StoredAccount, { address, action, remember }: Way): Promise<Reply<typeof login>> {
    const now = clock()
    const Handle = remember ? newToken() : null
    const { reply, ended } = await db.transaction().execute(async (trx) => {
      const row = { accountId: account.accountId, address, now, expiresAt: now + rememberMs }
      const device = Handle === null ? null : await remembered.insertRemember(trx, { ...row, handleHash: tokenHash(Handle) })
      return open(trx, account, { address, action }, device, action !== byPartner)
    })
    for (const id of ended) sessionEnded(id)
    return { ...reply, ...(Handle !== null && { Handle }) }
  }

  /** For a machine that has shown its key. False: the key was revoked meanwhile. */
  async function beginByKey(account: StoredAccount, key: StoredKey, address: string): Promise<Reply<typeof login> | null> {
    const made = await db.transaction().execute(async (trx) => {
      if (!(await useKey(trx, key.keyId, address, clock()))) return null
      return open(trx, account, { address, action: 'login.key' }, null, true, key)
    })
    for (const id of made?.ended ?? []) sessionEnded(id)
    return made && { ...made.reply, ExpiresAt: Math.min(made.reply.ExpiresAt, key.expiresAt.getTime()) }
  }

  /** A device that was remembered. A handle that comes twice was copied: the device is forgotten and its sessions end. */
  async function takeUp(
    { Handle }: Request<typeof resume>['body'],
    address: string,
    attended: boolean | null,
  ): Promise<Reply<typeof login>> {
    const now = clock()
    const next = newToken()
    const hashes = { handleHash: tokenHash(Handle), nextHash: tokenHash(next) }
    const outcome = await db.transaction().execute(async (trx) => {
      const use = await remembered.takeHandle(trx, {
        ...hashes,
        address,
        now,
        attended: attended !== false,
        ...rememberUntil(now),
      })
      if (use.kind === 'unknown') return null
      const account = await stored.accountById(trx, use.accountId)
      const way = { address, action: 'login.remembered' } as const
      if (use.kind === 'taken') return account ? open(trx, account, way, use.rememberId, false) : null
      const name = account?.userName ?? use.accountId
      const after = { why: 'the handle was used before', ended: use.ended.length }
      await appendAudit(trx, { ...way, at: now, actor: name, ...ofAccount(name), after, outcome: 'refused' })
      return { ended: use.ended, reply: null }
    })
    for (const id of outcome?.ended ?? []) sessionEnded(id)
    if (!outcome?.reply) throw new Refusal('remembered sign-in over')
    return { ...outcome.reply, Handle: next }
  }

  async function open(
    trx: Kysely<Schema>,
    { accountId, userName }: StoredAccount,
    { address, action }: Pick<Way, 'address' | 'action'>,
    rememberId: string | null,
    proved: boolean,
    key: StoredKey | null = null,
  ): Promise<{ reply: Reply<typeof login>; ended: readonly string[] }> {
    const now = clock()
    const token = newToken()
    const session = { accountId, sealedToken: seal.seal(token), address, now, rememberId, proved, keyId: key?.keyId ?? null }
    const { ended } = await sessions.insertSession(trx, session)
    const entry = { at: now, actor: userName, address, action, ...ofAccount(userName), outcome: 'done' } as const
    await appendAudit(trx, { ...entry, ...(key && { after: { key: key.name } }) })
    return { reply: { UserID: accountId, Token: token, ExpiresAt: now + absoluteMs }, ended }
  }
}
