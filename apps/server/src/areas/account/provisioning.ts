import { firstGroup, Refusal } from '@linewarden/contract'
import { by } from '../../audit/audited.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredAccount } from '../../store/account/account.ts'
import * as stored from '../../store/account/account.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Owner } from '../../store/core/tenant.ts'
import { insertRole } from '../../store/people/role.ts'
import { defaultGroupOf } from '../../store/site/group.ts'
import type { Brand } from './branding.ts'
import { isGuessable } from './guessable.ts'
import type { Passwords } from './passwords.ts'
import { md5, randomPassword } from './passwords.ts'

interface Deps {
  readonly database: Database
  readonly passwords: Passwords
  readonly plant: Pick<Plant, 'cities'>
  readonly branding: Pick<Brand, 'now'>
  readonly clock: () => number
}

/** Making accounts and roles, and what a new password must be. */
export function createProvisioning({ database, passwords, plant, branding, clock }: Deps) {
  const db = database.control
  return {
    firstAdministrator,
    createAccount,
    addAccount,
    newHash,
    async createRole(role: { number: string; name: string; privileges: string[]; buttons: string[] }): Promise<number> {
      const made = await insertRole(db, { ...role, ownerId: null }, null)
      if (made === null) throw new Refusal('role exists')
      return made
    },
  }

  /** Makes an administrator where there is none, with a password that stands nowhere else; null when there is one. */
  async function firstAdministrator(userName: string): Promise<{ userName: string; password: string } | null> {
    if (await stored.hasAdministrator(db)) return null
    const password = randomPassword()
    const account: stored.NewAccount = {
      userName,
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
      ...ofAccount(userName),
    }
    if ((await stored.insertAccount(db, account, audit)) === null) return null
    return { userName, password }
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
}
