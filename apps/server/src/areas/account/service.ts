import type { Exposure, proveSession, Reply, Roles, UserInfo } from '@linewarden/contract'
import { allCalls, buttons, firstGroup, mayMoveEquipment, pages, Refusal } from '@linewarden/contract'
import type { Rights } from '@linewarden/rules/account'
import * as rules from '@linewarden/rules/account'
import { mayCall, permits, sessionAlive } from '@linewarden/rules/account'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfAccount } from '../../audit/audited.ts'
import type { RefusedAttempts } from '../../audit/refused-attempts.ts'
import type { Config } from '../../config.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { RightsChange } from '../../plant/hub.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredAccount } from '../../store/account/account.ts'
import * as stored from '../../store/account/account.ts'
import { rememberedOf, touchRemembered } from '../../store/account/remember.ts'
import * as sessions from '../../store/account/session.ts'
import { deleteStepsOf } from '../../store/account/sign-in-step.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Owner } from '../../store/core/tenant.ts'
import { insertRole } from '../../store/people/role.ts'
import { defaultGroupOf } from '../../store/site/group.ts'
import type { Brand } from './branding.ts'
import { isGuessable } from './guessable.ts'
import { md5, Passwords, randomPassword } from './passwords.ts'
import { createProof } from './proof.ts'
import { createSecondFactor } from './second-factor.ts'
import type { Peppers } from './secrets.ts'
import { Seal } from './secrets.ts'
import { createSignIn, newToken, rememberUntil } from './sign-in.ts'

export type Accounts = Awaited<ReturnType<typeof createAccounts>>

/** Calls by which equipment may move, of those that take a permission. */
const moving = allCalls.filter((call) => mayMoveEquipment(call) && call.permission !== 'public' && call.permission !== 'session')

/** Nobody: the session number of calls before login. */
const beforeLogin = '0'

/** For so long what was signed with a session's former token may still arrive. */
const underWayMs = 10_000

/** A session's last use is written at most this often. */
const touchEveryMs = 30_000

/** Accounts, sessions and grants. On the very first start it makes an administrator, whose password is in `firstPassword` and nowhere else. */
export async function createAccounts(deps: {
  config: Pick<Config, 'firstAccount' | 'sessionIdleMs' | 'sessionAbsoluteMs' | 'extraRoutes' | 'requireSecondFactor'>
  peppers: Peppers
  database: Database
  plant: Pick<Plant, 'cities'>
  branding: Pick<Brand, 'now'>
  exposures: () => Exposure[]
  refused: Pick<RefusedAttempts, 'note'>
  clock: () => number
  log: Logger
}) {
  const { config, peppers, database, plant, branding, exposures, refused, clock, log } = deps
  const db = database.control
  const passwords = new Passwords(peppers)
  const seal = new Seal(peppers, 'session tokens')
  const limits = { idleMs: config.sessionIdleMs, absoluteMs: config.sessionAbsoluteMs }
  const former = new Map<string, { token: string; provedAt: number | null; until: number }>()
  const onSessionEnd = new Set<(sessionId: string) => void>()
  const onRightsChange = new Set<(change: RightsChange) => void>()
  const firstPassword = await firstAdministrator()
  // Tries at a secret are counted between asking whether one more is allowed and noting that it failed: a hundred at once would all be allowed.
  const tries = new KeyedMutex()
  const proof = createProof({ database, passwords, tries, clock, log })
  const factor = createSecondFactor({
    database,
    seal: new Seal(peppers, 'second factors'),
    peppers,
    proves: proof.proves,
    endOthers,
    issuer: () => branding.now().Name?.en ?? 'Linewarden',
    clock,
  })

  return {
    firstPassword,
    /** Tells the live socket when a session is over. */
    onSessionEnd: (listener: (sessionId: string) => void) => onSessionEnd.add(listener),
    /** Tells the live socket when accounts may see or do something else than before. */
    onRightsChange: (listener: (change: RightsChange) => void) => onRightsChange.add(listener),
    rightsChanged(change: RightsChange): void {
      for (const listener of onRightsChange) listener(change)
    },
    ...createSignIn({ database, passwords, tries, seal, factor, refused, absoluteMs: limits.absoluteMs, ending, clock }),
    factor,
    /** What is handed to a browser and must come back unread and unchanged is sealed with this. */
    sealFor: (purpose: string) => new Seal(peppers, purpose),
    signOut,
    candidates,
    /** Whose account this is, and in whose log it stands; null: nobody's. */
    async named(accountId: string): Promise<{ userName: string; tenant: string | null } | null> {
      const account = await stored.accountById(database.general, accountId)
      return account ? { userName: account.userName, tenant: tenantOfAccount(account) } : null
    },
    touch,
    actorOf,
    stillIn,
    info,
    rolesOf,
    /** Whether this installation asks a second factor of the account, whether it has one or not. */
    asksSecondFactor,
    setAlarmSound: (actor: Actor, on: boolean) => stored.setAccountAlarmSound(db, actor.accountId, on),
    setLanguage: (actor: Actor, language: 'CN' | 'EN') => stored.setAccountLanguage(db, actor.accountId, language),
    ...proof,
    async proveSession(actor: Actor, passwordMd5: string): Promise<Reply<typeof proveSession>> {
      await proof.proves(actor, passwordMd5)
      return proved(actor)
    },
    takeNonce: (sessionId: string, timeStamp: number, nonce: string) => sessions.takeNonce(db, sessionId, timeStamp, nonce),
    /** Of a call before login: whoever is not signed in waits on the connections of no trip. */
    takeOpenNonce: (timeStamp: number, nonce: string) => sessions.takeNonce(database.general, beforeLogin, timeStamp, nonce),
    createAccount,
    addAccount,
    newHash,
    async createRole(role: { number: string; name: string; privileges: string[]; buttons: string[] }): Promise<number> {
      const made = await insertRole(db, { ...role, ownerId: null }, null)
      if (made === null) throw new Refusal('role exists')
      return made
    },
    aliveSessions,
    endThese,
    endSessions,
  }

  async function firstAdministrator(): Promise<{ userName: string; password: string } | null> {
    if (await stored.hasAdministrator(db)) return null
    const password = randomPassword()
    const account: stored.NewAccount = {
      userName: config.firstAccount,
      nickName: '',
      kind: 'platform',
      roleId: null,
      passwordHash: await passwords.hash(md5(password)),
      mustChangePassword: true,
      controlHash: null,
      projectIds: [],
    }
    const audit = {
      ...by({ userName: 'system', address: '' }, clock(), 'account.create', null),
      ...ofAccount(config.firstAccount),
    }
    if ((await stored.insertAccount(db, account, audit)) === null) return null
    return { userName: config.firstAccount, password }
  }

  async function signOut(actor: Actor): Promise<void> {
    const { sessionId, userName, tenant } = actor
    const audit = { ...by(actor, clock(), 'logout', tenant), ...ofAccount(userName) }
    await endThese({ sessionIds: [sessionId], rememberIds: [], signingOut: true }, audit)
  }

  /** Sessions of an account that are still alive, with their tokens. */
  async function candidates(accountId: string): Promise<sessions.StoredSession[]> {
    return (await aliveSessions(accountId)).flatMap((each) => {
      const token = seal.open(each.token)
      const was = former.get(each.sessionId)
      // It may what it could before: who has learnt it gains nothing by the person's password.
      const late = was && clock() < was.until ? [{ ...each, token: was.token, provedAt: was.provedAt }] : []
      return token === null ? [] : [{ ...each, token }, ...late]
    })
  }

  /** Who knew the token before the password was given does not know the one after it. */
  async function proved({ accountId, sessionId }: Actor): Promise<Reply<typeof proveSession>> {
    const now = clock()
    const own = (await candidates(accountId)).find((each) => each.sessionId === sessionId)
    if (!own) throw new Refusal('session expired')
    const token = newToken()
    for (const [id, { until }] of former) if (until <= now) former.delete(id)
    former.set(sessionId, { token: own.token, provedAt: own.provedAt, until: now + underWayMs })
    await sessions.proveSession(db, sessionId, seal.seal(token), now)
    return { Token: token }
  }

  async function aliveSessions(accountId: string): Promise<sessions.StoredSession[]> {
    const now = clock()
    return (await sessions.sessionsOf(db, accountId)).filter((each) => sessionAlive(each, limits, now))
  }

  async function touch({
    sessionId,
    rememberId,
    lastUsedAt,
  }: Pick<sessions.StoredSession, 'sessionId' | 'rememberId' | 'lastUsedAt'>): Promise<void> {
    const now = clock()
    if (now - lastUsedAt < touchEveryMs) return
    await sessions.touchSession(db, sessionId, now)
    if (rememberId !== null) await touchRemembered(db, rememberId, { now, ...rememberUntil(now) })
  }

  /** Who this is, as the account and its role are now. Null when the account is gone. */
  async function actorOf(
    accountId: string,
    sessionId: string,
    address: string,
    provedAt: number | null = null,
  ): Promise<Actor | null> {
    const account = await stored.accountById(db, accountId)
    if (!account) return null
    const all = account.kind === 'platform'
    const own = all ? null : await stored.assignmentsOf(db, account)
    const shared = account.kind === 'shared'
    const administrator = isAdministrator(account)
    const tenant = tenantOfAccount(account)
    return {
      accountId,
      sessionId,
      provedAt,
      userName: account.userName,
      nickName: account.nickName,
      kind: account.kind,
      tenant,
      platform: all,
      administrator,
      privileges: account.privileges,
      buttons: account.buttons,
      shared,
      hasControlPassword: account.controlHash !== null,
      mustEnrol: !account.hasSecondFactor && asksSecondFactor({ ...account, platform: all, administrator, shared }),
      mustChangePassword: account.mustChangePassword,
      address,
      sees: (projectId) => own === null || own.projects.has(projectId),
      seesPart: (projectId) => own === null || own.projects.has(projectId) || own.parts.has(projectId),
      seesGateway: ({ id, project }) => own === null || own.projects.has(project.id) || own.gateways.has(id),
      scope: {
        all,
        tenant,
        administrator,
        accountId: shared ? null : accountId,
        projectIds: [...(own?.projects ?? [])],
        gatewayIds: [...(own?.gateways ?? [])],
      },
    }
  }

  function asksSecondFactor(rights: Rights): boolean {
    const mayMove = !rights.shared && moving.some((call) => mayCall(call, rights))
    return rules.asksSecondFactor(config.requireSecondFactor, { ...rights, mayMoveEquipment: mayMove })
  }

  /** The same person with the rights of now; null when the session or the account is over. */
  async function stillIn({ accountId, sessionId, address, provedAt }: Actor): Promise<Actor | null> {
    const alive = (await candidates(accountId)).some((each) => each.sessionId === sessionId)
    return alive ? actorOf(accountId, sessionId, address, provedAt) : null
  }

  async function info(actor: Actor): Promise<UserInfo> {
    const account = await stored.accountById(db, actor.accountId)
    if (!account) throw new Refusal('session expired')
    const brand = branding.now()
    return {
      UserID: account.accountId,
      UserName: account.userName,
      NickName: account.nickName,
      Roles: rolesOf(actor),
      RoleName: account.roleName,
      ControlPwd: account.controlHash !== null,
      Language: account.language,
      Setting: account.alarmSound ? 1 : 0,
      Shared: account.kind === 'shared',
      Company: brand.Name && { Name: account.language === 'EN' ? brand.Name.en : brand.Name.zh, PlatLogo: brand.Logo },
      ExtraRoute: config.extraRoutes.get(account.userName.toLowerCase()) ?? null,
      Provider: brand.Provider,
      Platform: account.kind === 'platform',
      MustChangePassword: account.mustChangePassword,
      SecondFactor: account.hasSecondFactor ? 'on' : actor.mustEnrol ? 'required' : 'off',
      Exposures: account.kind === 'platform' ? exposures() : [],
    }
  }

  /** Makes an account from clear passwords; refuses a name that is taken and passwords that everybody tries first. */
  async function createAccount(given: {
    userName: string
    password: string
    kind: StoredAccount['kind']
    roleId?: number
    controlPassword?: string
    projectIds?: readonly number[]
  }): Promise<string> {
    const control = given.controlPassword === undefined ? null : md5(given.controlPassword)
    const account = {
      userName: given.userName,
      nickName: '',
      kind: given.kind,
      roleId: given.roleId ?? null,
      passwordHash: await newHash(md5(given.password), given.userName, undefined),
      controlHash: await newHash(control, given.userName, undefined),
      projectIds: given.projectIds ?? [],
    }
    return addAccount(account, null)
  }

  /** Stores a new account and answers its id. */
  async function addAccount(account: stored.NewAccount, audit: AuditEntry | null): Promise<string> {
    const made = await stored.insertAccount(db, account, audit)
    if (made === null) throw new Refusal('username exists')
    if (account.kind === 'project') await showDefaultGroup(made)
    return made
  }

  /** What is stored of a new password in its wire form; null for none. Refuses what everybody of the account's tenant tries first. */
  async function newHash<P extends string | null>(
    passwordMd5: P,
    userName: string,
    tenant: Owner,
  ): Promise<P extends null ? null : string>
  async function newHash(passwordMd5: string | null, userName: string, tenant: Owner): Promise<string | null> {
    if (passwordMd5 === null) return null
    const { Name, Title } = branding.now()
    const words = [userName, Name?.zh, Name?.en, Title?.zh, Title?.en].flatMap((word) => word ?? [])
    if (
      (await stored.isNameOfSomething(database.general, passwordMd5, tenant)) ||
      (await isGuessable(passwordMd5, words, clock()))
    )
      throw new Refusal('password too common')
    return passwords.hash(passwordMd5)
  }

  /** A new project administrator has a group from the start; the plant must know it too. */
  async function showDefaultGroup(ownerId: string): Promise<void> {
    const id = await defaultGroupOf(db, ownerId)
    plant.cities.set(id, { id, ownerId, isDefault: true, madeBy: null, name: firstGroup.zh })
  }

  async function endSessions(accountId: string): Promise<void> {
    for (const id of await sessions.deleteSessionsOf(db, accountId)) ending(id)
  }

  async function endThese(which: sessions.Ending, audit: AuditEntry | null): Promise<void> {
    await sessions.endThese(db, which, audit)
    for (const id of which.sessionIds) ending(id)
  }

  /** Every session but the one that asks, half begun ones too, and every device but its own. */
  async function endOthers(actor: Actor): Promise<void> {
    await deleteStepsOf(db, actor.accountId)
    const all = await sessions.sessionsOf(db, actor.accountId)
    const own = all.find(({ sessionId }) => sessionId === actor.sessionId)
    const devices = await rememberedOf(db, actor.accountId, clock())
    const others = {
      sessionIds: all.filter((each) => each !== own).map(({ sessionId }) => sessionId),
      rememberIds: devices.map(({ rememberId }) => rememberId).filter((id) => id !== own?.rememberId),
      runsOf: { accountId: actor.accountId, ...(own && { but: own }) },
    }
    await endThese(others, null)
  }

  function ending(sessionId: string): void {
    for (const listener of onSessionEnd) listener(sessionId)
  }
}

/** The wire's roles: permissions by their Chinese labels. */
function rolesOf(actor: Pick<Actor, 'platform' | 'administrator' | 'privileges' | 'buttons' | 'shared'>): Roles {
  const has = (key: string) => permits(key, actor)
  return {
    IsAdministrators: actor.administrator,
    Privileges: pages.flatMap(({ key, name, subs }) => {
      const allowed = subs.filter((sub) => has(sub.key))
      return has(key) || allowed.length > 0 ? [{ Name: name.zh, Subs: allowed.map((sub) => ({ Name: sub.name.zh })) }] : []
    }),
    LevelBtn: actor.shared ? [] : actor.administrator ? Object.keys(buttons) : [...actor.buttons],
  }
}

const isAdministrator = ({ kind }: StoredAccount): boolean => kind === 'platform' || kind === 'project'
