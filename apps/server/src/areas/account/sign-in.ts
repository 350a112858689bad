import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { AuditAction, giveSecondFactor, login, Reply, Request, redeemSignOn, resume } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { gate, networkOf, rememberFailuresMs, signInPace } from '@linewarden/rules/account'
import type { Kysely } from 'kysely'
import type { RefusedAttempts } from '../../audit/refused-attempts.ts'
import type { KeyedMutex } from '../../lib/serial.ts'
import type { StoredAccount } from '../../store/account/account.ts'
import * as stored from '../../store/account/account.ts'
import { clearFailures, failuresSince, recordFailure } from '../../store/account/attempt.ts'
import * as remembered from '../../store/account/remember.ts'
import * as sessions from '../../store/account/session.ts'
import * as steps from '../../store/account/sign-in-step.ts'
import { appendAudit, appendRefusal } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'
import { passwordTries } from './password-tries.ts'
import type { Passwords } from './passwords.ts'
import { locked, renewHash } from './proof.ts'
import type { createSecondFactor } from './second-factor.ts'
import type { Seal } from './secrets.ts'

/** A device that was not used for so long is forgotten; and after so long in all, whatever was used. */
const rememberMs = 7 * dayMs
const maxMs = 90 * dayMs
export const rememberUntil = (now: number): remembered.RememberLimits => ({ expiresAt: now + rememberMs, maxMs })
const stepMs = 5 * 60_000
const ticketMs = 60_000
/** Of one network so many sign-ins wait for each other; more are told to come back. */
const maxUnderWay = 40
const crowdedMs = 5_000
const failedAnswerMs = 250
const byPartner = 'login.partner'

interface Way {
  readonly address: string
  /** Under what name it stands in the audit log. */
  readonly action: AuditAction
  readonly remember: boolean
}

export interface SignInDeps {
  readonly database: Database
  readonly passwords: Passwords
  readonly tries: KeyedMutex
  readonly seal: Seal
  readonly factor: Pick<ReturnType<typeof createSecondFactor>, 'check'>
  readonly refused: Pick<RefusedAttempts, 'note'>
  readonly absoluteMs: number
  readonly ending: (sessionId: string) => void
  readonly clock: () => number
}

/** The ways into a session. Each ends in `begin`, and none leads round the second factor but a device that already passed it. */
export function createSignIn({ database, passwords, tries, seal, factor, refused, absoluteMs, ending, clock }: SignInDeps) {
  // Whoever is not signed in yet waits on the connections of no trip.
  const db = database.general
  /** Sign-ins under way of each network. */
  const underWay = new Map<string, number>()
  return { signIn, signInAs, resume: takeUp, giveSecond, ticketFor, redeem }

  async function signIn(
    { UserName, Password, Remember }: Request<typeof login>['body'],
    address: string,
  ): Promise<Reply<typeof login>> {
    const account = await paced(address, () =>
      tries.run(passwordTries(UserName, address), () => known(UserName, Password, address)),
    )
    return proceed(account, { address, action: 'login', remember: Remember === true })
  }

  /**
   * One sign-in of a network after the other, and fewer the more of them failed, whatever accounts they were for: all this before a password
   * is looked at, which is dear. A failure is answered after the same time whether there is such an account or not.
   */
  async function paced(address: string, tried: () => Promise<StoredAccount>): Promise<StoredAccount> {
    const network = networkOf(address)
    const others = underWay.get(network) ?? 0
    if (others >= maxUnderWay) throw slowed(address, clock() + crowdedMs, clock())
    underWay.set(network, others + 1)
    const answerable = pause(failedAnswerMs, undefined, { ref: false })
    try {
      return await tries.run(`network ${network}`, async () => {
        const now = clock()
        const pace = signInPace(await failuresSince(db, 'login', null, network, now - rememberFailuresMs), now)
        if (!pace.open) throw slowed(address, pace.until, now)
        return tried()
      })
    } catch (error) {
      await answerable
      throw error
    } finally {
      const left = (underWay.get(network) ?? 1) - 1
      if (left === 0) underWay.delete(network)
      else underWay.set(network, left)
    }
  }

  function slowed(address: string, until: number, now: number): Refusal {
    refused.note({ action: 'login.refused', why: 'sign-in slowed', address, about: null, tenant: null })
    return new Refusal('sign-in slowed', { seconds: Math.max(1, Math.ceil((until - now) / 1_000)) })
  }

  /** The account whose password this is. */
  async function known(userName: string, passwordMd5: string, address: string): Promise<StoredAccount> {
    const now = clock()
    const network = networkOf(address)
    const before = gate(await failuresSince(db, 'login', userName, network, now - rememberFailuresMs), now)
    if (!before.open) throw locked('account locked', before, now)
    const account = await stored.accountByName(db, userName)
    if (!(await passwords.matchesAtSignIn(passwordMd5, account?.passwordHash ?? null)) || !account) {
      await recordFailure(db, 'login', userName, network, now)
      // A name that nobody has is anybody's guess, or a password in the wrong field: it is counted, and stands nowhere.
      if (!account) refused.note({ action: 'login.refused', why: 'username notexists', address, about: null, tenant: null })
      else {
        const entry = { at: now, actor: userName, address, action: 'login', ...ofAccount(userName), outcome: 'refused' } as const
        // To who only wants to sign in it says nothing: whether there is such an account is not told.
        const lost = passwords.isLost(account.passwordHash) ? { after: { why: 'password lost' } } : {}
        await appendRefusal(db, { ...entry, ...lost })
      }
      const after = gate(await failuresSince(db, 'login', userName, network, now - rememberFailuresMs), now)
      if (!after.open) throw locked('account locked', after, now)
      throw new Refusal('User name or password error', { left: after.left })
    }
    await clearFailures(db, 'login', userName, network)
    const { accountId, passwordHash: hash } = account
    await renewHash({ db, passwords }, { accountId, column: 'password_hash', hash }, passwordMd5)
    return account
  }

  /** For a partner whose signature was right: the account's name is enough, unless it runs the installation. */
  async function signInAs(userName: string, address: string): Promise<Reply<typeof login>> {
    const account = await stored.accountByName(db, userName)
    if (!account || account.kind === 'platform') throw new Refusal('username notexists')
    return proceed(account, { address, action: byPartner, remember: false })
  }

  /** To a session, or first to the second factor. */
  async function proceed(account: StoredAccount, { address, action, remember }: Way): Promise<Reply<typeof login>> {
    if (!account.hasSecondFactor) return begin(account, { address, action, remember })
    const { accountId } = account
    throw new Refusal('second factor needed', { step: await newStep({ accountId, wants: 'second', action, remember }, stepMs) })
  }

  async function giveSecond(
    { Step, Code }: Request<typeof giveSecondFactor>['body'],
    address: string,
  ): Promise<Reply<typeof login>> {
    const step = await steps.findStep(db, hashOf(Step), 'second', clock())
    const account = step && (await stored.accountById(db, step.accountId))
    if (!step || !account) throw new Refusal('sign-in step over')
    const { recovery } = await factor.check({ ...account, address }, Code)
    if (!(await steps.takeStep(db, hashOf(Step)))) throw new Refusal('sign-in step over')
    if (recovery) {
      const { userName } = account
      const entry = {
        at: clock(),
        actor: userName,
        address,
        action: 'login.recovery',
        ...ofAccount(userName),
        outcome: 'done',
      } as const
      await appendAudit(db, entry)
    }
    return begin(account, { address, action: step.action, remember: step.remember })
  }

  /** A device that was remembered. A handle that comes twice was copied: the device is forgotten and its sessions end. */
  async function takeUp(
    { Handle }: Request<typeof resume>['body'],
    address: string,
    attended: boolean | null,
  ): Promise<Reply<typeof login>> {
    const now = clock()
    const next = newToken()
    const hashes = { handleHash: hashOf(Handle), nextHash: hashOf(next) }
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
    for (const id of outcome?.ended ?? []) ending(id)
    if (!outcome?.reply) throw new Refusal('remembered sign-in over')
    return { ...outcome.reply, Handle: next }
  }

  /**
   * A ticket for somebody whom the organisation's provider has vouched for: the browser that began with `bind` turns it into a session. In
   * any other it opens nothing, so that nobody is led into somebody else's account by a link.
   */
  function ticketFor(accountId: string, bind: string): Promise<string> {
    return newStep({ accountId, wants: 'session', action: 'login.signon', remember: false }, ticketMs, bind)
  }

  async function redeem({ Ticket, Bind }: Request<typeof redeemSignOn>['body'], address: string): Promise<Reply<typeof login>> {
    const hash = hashOf(Ticket + Bind)
    const step = await steps.findStep(db, hash, 'session', clock())
    const account = step && (await stored.accountById(db, step.accountId))
    if (!step || !account || !(await steps.takeStep(db, hash))) throw new Refusal('sign-in step over')
    return proceed(account, { address, action: step.action, remember: false })
  }

  async function newStep(step: steps.SignInStep, lastsMs: number, bind = ''): Promise<string> {
    const given = newToken()
    await steps.insertStep(db, hashOf(given + bind), step, clock() + lastsMs)
    return given
  }

  async function begin(account: StoredAccount, { address, action, remember }: Way): Promise<Reply<typeof login>> {
    const now = clock()
    const Handle = remember ? newToken() : null
    const { reply, ended } = await db.transaction().execute(async (trx) => {
      const row = { accountId: account.accountId, address, now, expiresAt: now + rememberMs }
      const device = Handle === null ? null : await remembered.insertRemember(trx, { ...row, handleHash: hashOf(Handle) })
      // A partner says who it is; nobody has shown a password.
      return open(trx, account, { address, action }, device, action !== byPartner)
    })
    for (const id of ended) ending(id)
    return { ...reply, ...(Handle !== null && { Handle }) }
  }

  async function open(
    trx: Kysely<Schema>,
    { accountId, userName }: StoredAccount,
    { address, action }: Pick<Way, 'address' | 'action'>,
    rememberId: string | null,
    proved: boolean,
  ): Promise<{ reply: Reply<typeof login>; ended: readonly string[] }> {
    const now = clock()
    const token = newToken()
    const session = { accountId, sealedToken: seal.seal(token), address, now, rememberId, proved }
    const { ended } = await sessions.insertSession(trx, session)
    await appendAudit(trx, { at: now, actor: userName, address, action, ...ofAccount(userName), outcome: 'done' })
    return { reply: { UserID: accountId, Token: token, ExpiresAt: now + absoluteMs }, ended }
  }
}

/** 256 random bits, as a session's token and whatever else opens one. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is random enough needs no salt. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
