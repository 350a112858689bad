import type { giveSecondFactor, login, Reply, Request, redeemSignOn } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { StoredAccount } from '../../store/account/account.ts'
import * as stored from '../../store/account/account.ts'
import * as steps from '../../store/account/sign-in-step.ts'
import { appendAudit } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { createSecondFactor } from './second-factor.ts'
import type { Way } from './session-opening.ts'
import { byPartner } from './session-opening.ts'
import { newToken, tokenHash } from './token.ts'

const stepMs = 5 * 60_000
const ticketMs = 60_000

interface Deps {
  readonly database: Database
  /** The account of this name, whose password this is. */
  readonly known: (userName: string, passwordMd5: string, address: string) => Promise<StoredAccount>
  readonly factor: Pick<ReturnType<typeof createSecondFactor>, 'check'>
  /** Begins a session. */
  readonly begin: (account: StoredAccount, way: Way) => Promise<Reply<typeof login>>
  readonly clock: () => number
}

/** The ways into a session. Each ends in `begin`, and none leads round the second factor but a device that already passed it. */
export function createSignIn({ database, known, factor, begin, clock }: Deps) {
  // Whoever is not signed in yet waits on the connections of no trip.
  const db = database.general
  return { signIn, signInAs, giveSecond, ticketFor, redeem }

  async function signIn(
    { UserName, Password, Remember }: Request<typeof login>['body'],
    address: string,
  ): Promise<Reply<typeof login>> {
    const account = await known(UserName, Password, address)
    return proceed(account, { address, action: 'login', remember: Remember === true })
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
    const step = await steps.findStep(db, tokenHash(Step), 'second', clock())
    const account = step && (await stored.accountById(db, step.accountId))
    if (!step || !account) throw new Refusal('sign-in step over')
    const { recovery } = await factor.check({ ...account, address }, Code)
    if (!(await steps.takeStep(db, tokenHash(Step)))) throw new Refusal('sign-in step over')
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

  /**
   * A ticket for somebody whom the organisation's provider has vouched for: the browser that began with `bind` turns it into a session. In
   * any other it opens nothing, so that nobody is led into somebody else's account by a link.
   */
  function ticketFor(accountId: string, bind: string): Promise<string> {
    return newStep({ accountId, wants: 'session', action: 'login.signon', remember: false }, ticketMs, bind)
  }

  async function redeem({ Ticket, Bind }: Request<typeof redeemSignOn>['body'], address: string): Promise<Reply<typeof login>> {
    const hash = tokenHash(Ticket + Bind)
    const step = await steps.findStep(db, hash, 'session', clock())
    const account = step && (await stored.accountById(db, step.accountId))
    if (!step || !account || !(await steps.takeStep(db, hash))) throw new Refusal('sign-in step over')
    return proceed(account, { address, action: step.action, remember: false })
  }

  async function newStep(step: steps.SignInStep, lastsMs: number, bind = ''): Promise<string> {
    const given = newToken()
    await steps.insertStep(db, tokenHash(given + bind), step, clock() + lastsMs)
    return given
  }
}
