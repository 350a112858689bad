import type { addAdministrator, addSharedAccount, addSubAccount, Request, UserRecord } from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { isAdministratorAccount, isMobileAccount, mayGive } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { ownerFor } from '../../access/owner.ts'
import { by } from '../../audit/audited.ts'
import { accountByName } from '../../store/account/account.ts'
import { roleById } from '../../store/people/role.ts'
import type { StoredUser } from '../../store/people/user.ts'
import type { Assigned } from './assigning.ts'
import { checkAssigned } from './assigning.ts'
import type { UserDeps } from './user-deps.ts'
import { recordOf } from './user-record.ts'

/** Making accounts: of a tenant by whoever administers it, and of administrators. */
export function createUserAdding(
  { database, plant, accounts, takenLimit, clock }: UserDeps,
  find: (accountId: string) => Promise<StoredUser>,
) {
  return {
    addSub: (actor: Actor, body: Request<typeof addSubAccount>['body']) => addUnder(actor, 'sub', body),
    addShared: (actor: Actor, body: Request<typeof addSharedAccount>['body']) => addUnder(actor, 'shared', body),

    async addAdministrator(actor: Actor, body: Request<typeof addAdministrator>['body']): Promise<UserRecord> {
      if (!isAdministratorAccount(body.UserName)) throw nameRefused(body.UserName, administratorName)
      const accountId = await accounts.addAccount(
        {
          ...(await personOf(actor, body)),
          kind: body.Kind ?? 'project',
          roleId: null,
          mustChangePassword: true,
          controlHash: await accounts.newHash(body.ControlPassword ?? null, body.UserName, undefined),
          passwordHash: await accounts.newHash(body.Password, body.UserName, undefined),
          projectIds: [],
          ownerId: null,
        },
        { ...by(actor, clock(), 'account.create', null), subject: aboutNothing },
      )
      return recordOf(await find(accountId))
    },
  }

  async function addUnder(
    actor: Actor,
    kind: 'sub' | 'shared',
    body: Request<typeof addSubAccount>['body'] | Request<typeof addSharedAccount>['body'],
  ): Promise<UserRecord> {
    if (!isMobileAccount(body.UserName)) throw nameRefused(body.UserName, mobileName)
    const ownerId = await ownerFor(database, actor, body.OwnerID)
    const assigned: Assigned = checkAssigned(plant, actor, ownerId, body.Assigned)
    const role = await roleById(database, body.RoleID, ownerId)
    if (!role) throw new Refusal('role not exists')
    if (!mayGive(actor, role)) throw new Refusal('permission beyond own')
    const control = 'ControlPassword' in body ? (body.ControlPassword ?? null) : null
    const audit = { ...by(actor, clock(), 'account.create', ownerId), subject: aboutNothing }
    const accountId = await takenLimit(actor, async (foreign) => {
      const account = {
        ...(await personOf(actor, body)),
        kind,
        roleId: role.roleId,
        mustChangePassword: true,
        controlHash: await accounts.newHash(control, body.UserName, ownerId),
        passwordHash: await accounts.newHash(body.Password, body.UserName, ownerId),
        ...assigned,
        ownerId,
      }
      try {
        return await accounts.addAccount(account, audit)
      } catch (error) {
        if (error instanceof Refusal && error.key === 'username exists' && !(await isOfTenant(actor, body.UserName))) foreign(1)
        throw error
      }
    })
    return recordOf(await find(accountId))
  }

  async function isOfTenant(actor: Actor, userName: string): Promise<boolean> {
    const account = await accountByName(database.general, userName)
    return account !== undefined && (account.ownerId === actor.tenant || account.accountId === actor.tenant)
  }

  async function personOf(actor: Actor, body: Request<typeof addAdministrator>['body'] | Request<typeof addSubAccount>['body']) {
    return {
      userName: body.UserName,
      nickName: body.NickName.trim(),
      language: body.Language ?? (await accounts.info(actor)).Language,
      person: {
        mobile: body.Mobile ?? (isMobileAccount(body.UserName) ? body.UserName : ''),
        email: body.Email ?? '',
        sex: body.Sex ?? ('unknown' as const),
        jobName: body.JobName ?? '',
        remark: body.Remark ?? '',
      },
    }
  }
}

const mobileName: Text = { zh: '请输入11位手机号', en: 'must be an 11-digit mobile number' }
const administratorName: Text = {
  zh: '请输入11位手机号，或3至32位的账号名：以字母开头，可含字母、数字、点、下划线和连字符，不能为 system',
  en: 'must be an 11-digit mobile number, or a name of 3 to 32 letters, digits, dots, underscores and hyphens that begins with a letter; not system',
}
const noName: Text = { zh: '账号不能为空', en: 'must not be empty' }

const nameRefused = (name: string, wanted: Text): Refusal =>
  new Refusal('username invalid', {}, [{ Path: 'body.UserName', Text: name.trim() === '' ? noName : wanted }])
