import { timingSafeEqual } from 'node:crypto'
import type { addKey, KeyRecord, keySignIn, listKeys, Reply, Request } from '@linewarden/contract'
import { maxKeys, Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { networkOf, provedLately } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfAccount } from '../../audit/audited.ts'
import type { RefusedAttempts } from '../../audit/refused-attempts.ts'
import { Limits } from '../../lib/limits.ts'
import type { Plant } from '../../plant/plant.ts'
import * as stored from '../../store/account/account.ts'
import * as keys from '../../store/account/key.ts'
import { appendAudit } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { createSessionOpening } from './session-opening.ts'
import { newToken, tokenHash } from './token.ts'

interface Deps {
  readonly database: Database
  readonly plant: Pick<Plant, 'projects'>
  readonly beginByKey: ReturnType<typeof createSessionOpening>['beginByKey']
  readonly sessionEnded: (sessionId: string) => void
  readonly refused: Pick<RefusedAttempts, 'note'>
  readonly clock: () => number
}

/** API keys: made, listed, revoked, and turned into sessions (ADR 182). */
export function createKeys({ database, plant, beginByKey, sessionEnded, refused, clock }: Deps) {
  // Whoever is not signed in yet waits on the connections of no trip.
  const db = database.general
  // Nobody guesses 256 bits: it only bounds what a network can ask of the database.
  const wrong = new Limits(60, 1)
  // A session lasts: whoever begins one for each call fills the log, and ends those of the other machines with this key.
  const begun = new Limits(60, 0.5)
  return { list, add, revoke, signIn }

  async function list(actor: Actor, { Page = 1, Size = 10 }: Request<typeof listKeys>['query']): Promise<Reply<typeof listKeys>> {
    const { rows, total } = await keys.keysOf(db, whose(actor), { page: Page, size: Size, now: clock() })
    return { items: rows.map((key) => recordOf(key, actor)), total }
  }

  async function add(actor: Actor, body: Request<typeof addKey>['body']): Promise<Reply<typeof addKey>> {
    const now = clock()
    if (!provedLately(actor.provedAt, now)) throw new Refusal('password again')
    if (!body.Projects.every((id) => plant.projects.has(id) && actor.sees(id))) throw new Refusal('project not exists')
    const Secret = newToken()
    const key = {
      accountId: actor.accountId,
      name: body.Name.trim(),
      secretHash: tokenHash(Secret),
      operates: body.Operates === true,
      projectIds: body.Projects,
      now,
      expiresAt: now + body.Days * dayMs,
    }
    const made = await db.transaction().execute(async (trx) => {
      const keyId = await keys.insertKey(trx, key, maxKeys)
      if (keyId === null) throw new Refusal('too many keys', { most: maxKeys })
      const after = { key: key.name, days: body.Days, operates: key.operates, projects: key.projectIds.length }
      await appendAudit(trx, { ...by(actor, now, 'key.add', actor.tenant), ...ofAccount(actor.userName), after })
      return keys.keyById(trx, keyId)
    })
    if (!made) throw new Refusal('key not exists')
    return { Key: recordOf(made, actor), Secret }
  }

  async function revoke(actor: Actor, keyId: string): Promise<null> {
    const found = await keys.keyById(db, keyId)
    if (!found || !reaches(actor, found)) throw new Refusal('key not exists')
    const now = clock()
    const ended = await db.transaction().execute(async (trx) => {
      const ending = await keys.revokeKey(trx, keyId, now)
      const entry = { ...by(actor, now, 'key.revoke', tenantOfAccount(found)), ...ofAccount(found.userName) }
      await appendAudit(trx, { ...entry, after: { key: found.name, ended: ending.length } })
      return ending
    })
    for (const id of ended) sessionEnded(id)
    return null
  }

  /** One answer for whatever is wrong with it: whoever has no key learns nothing of those there are. */
  async function signIn({ KeyID, Secret }: Request<typeof keySignIn>['body'], address: string): Promise<Reply<typeof keySignIn>> {
    const now = clock()
    const network = networkOf(address)
    if (wrong.left(network, now) < 1) throw new Refusal('too many requests')
    const found = await keys.keyById(db, KeyID)
    const isRight = found !== undefined && isSame(found.secretHash, tokenHash(Secret))
    const isOpen = isRight && found.revokedAt === null && now < found.expiresAt.getTime()
    // Only whoever knows the secret takes a turn: with its number alone nobody keeps a machine out.
    if (isOpen && !begun.take(KeyID, now)) throw new Refusal('too many requests')
    const account = isOpen ? await stored.accountById(db, found.accountId) : undefined
    const reply = account && found ? await beginByKey(account, found, address) : null
    if (reply) return reply
    wrong.take(network, now)
    // Whose key it is stands in the log only where the secret was right: anybody may have read the number of a key.
    const about = isRight ? ofAccount(found.userName) : null
    const tenant = isRight ? tenantOfAccount(found) : null
    refused.note({ action: 'login.refused', why: 'key wrong', address, about, tenant })
    throw new Refusal('key wrong')
  }

  function recordOf(key: keys.StoredKey, actor: Actor): KeyRecord {
    const nameOf = (id: number) => (actor.sees(id) ? plant.projects.get(id)?.name : undefined)
    return {
      KeyID: key.keyId,
      Name: key.name,
      UserName: key.userName,
      // One that was removed since, or went to somebody else, is named no more.
      Projects: key.projectIds.flatMap((HouseID) => ({ HouseID, Name: nameOf(HouseID) ?? '' })).filter(({ Name }) => Name !== ''),
      Operates: key.operates,
      State: key.revokedAt !== null ? 'revoked' : key.expiresAt.getTime() <= clock() ? 'expired' : 'active',
      MadeAt: key.madeAt.getTime(),
      ExpiresAt: key.expiresAt.getTime(),
      LastUsedAt: key.lastUsedAt?.getTime() ?? null,
      LastAddress: key.lastAddress,
    }
  }
}

/** Of an administrator those of the whole tenant, of everybody else their own. */
const whose = ({ platform, administrator, accountId, tenant }: Actor) =>
  administrator ? { tenant: platform ? undefined : tenant } : { accountId }

const reaches = ({ platform, administrator, accountId, tenant }: Actor, key: keys.StoredKey): boolean =>
  key.accountId === accountId || (administrator && (platform || tenantOfAccount(key) === tenant))

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))
