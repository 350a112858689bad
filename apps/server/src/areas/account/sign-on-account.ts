import { randomBytes } from 'node:crypto'
import { Refusal } from '@linewarden/contract'
import { isAdministratorAccount } from '@linewarden/rules/account'
import type { Logger } from 'pino'
import type { SignOnConfig } from '../../config.ts'
import type { StoredAccount } from '../../store/account/account.ts'
import { accountByName, bindSignOn } from '../../store/account/account.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import { roleByNumber } from '../../store/people/role.ts'
import { md5 } from './passwords.ts'
import type { Accounts } from './service.ts'
import type { Identity } from './sign-on-provider.ts'

export interface SignOnAccountDeps {
  readonly config: SignOnConfig
  readonly database: Database
  readonly accounts: Pick<Accounts, 'addAccount' | 'newHash'>
  readonly clock: () => number
  readonly log: Logger
}

/** Whose account it is that the provider vouched for; where the installation says so, it is made. */
export function createSignOnAccounts({ config, database, accounts, clock, log }: SignOnAccountDeps) {
  return { accountOf }

  /** The account of that name, if it may come in this way; null when there is none. Nobody who runs the installation does. */
  async function accountOf({ name, lasting }: Identity, address: string): Promise<Pick<StoredAccount, 'accountId'> | null> {
    // Other letters may look like these, or become them in lower case.
    const isPlain = /^[\x21-\x7e]{1,64}$/.test(name)
    const account = isPlain ? ((await accountByName(database.control, name)) ?? (await made(name))) : null
    const refuse = async (why: string) => {
      const shortName = name.slice(0, 64)
      const entry = {
        at: clock(),
        actor: shortName,
        address,
        action: 'login.signon',
        ...ofAccount(shortName),
        outcome: 'refused',
      } as const
      await appendRefusal(database.control, { ...entry, after: { why } })
      return null
    }
    if (!account) return refuse(isPlain ? 'no such account' : 'no plain name')
    if (account.kind === 'platform') return refuse('platform administrator')
    return (await bindSignOn(database.control, account.accountId, lasting)) ? account : refuse('another identity')
  }

  async function made(name: string): Promise<Pick<StoredAccount, 'accountId' | 'kind'> | null> {
    if (!config.create || !isAdministratorAccount(name)) return null
    const owner = await accountByName(database.control, config.create.owner)
    const role = owner?.kind === 'project' ? await roleByNumber(database, config.create.role, owner.accountId) : undefined
    if (!owner || !role) {
      log.warn('LINEWARDEN_OIDC_CREATE names no project administrator with such a role: no account was made')
      return null
    }
    const account = {
      userName: name,
      nickName: name,
      kind: 'sub' as const,
      roleId: role.roleId,
      ownerId: owner.accountId,
      // Nobody knows it: this account comes in by its provider until somebody sets a password.
      passwordHash: await accounts.newHash(md5(randomBytes(32).toString('hex')), name, owner.accountId),
      controlHash: null,
      projectIds: [],
    }
    const audit = {
      at: clock(),
      actor: owner.userName,
      address: '',
      action: 'account.create',
      ...ofAccount(name),
      outcome: 'done',
    } as const
    try {
      return { accountId: await accounts.addAccount(account, audit), kind: 'sub' }
    } catch (error) {
      // It is there after all: disabled, or made in this very moment by a second tab.
      if (error instanceof Refusal) return null
      throw error
    }
  }
}
