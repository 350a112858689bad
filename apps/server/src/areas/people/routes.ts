import * as contract from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Administration } from './service.ts'
import { maxReported } from './users.ts'

export function peopleRoutes(serve: Serve, { users, roles, sessions, partner }: Administration): void {
  serve(contract.addRole, ({ actor, body }) => roles.add(actor, body))
  serve(contract.queryRoles, ({ actor, body }) => roles.list(actor, body))
  serve(contract.editRole, ({ actor, body }) => roles.edit(actor, body))
  serve(contract.deleteRole, ({ actor, body }) => roles.remove(actor, body.RoleID))
  serve(contract.allRoles, ({ actor }) => roles.choices(actor))
  serve(contract.rolePermissions, ({ actor }) => roles.permissions(actor))
  serve(contract.addSubAccount, ({ actor, body }) => users.addSub(actor, body))
  serve(contract.addSharedAccount, ({ actor, body }) => users.addShared(actor, body))
  serve(contract.addAdministrator, ({ actor, body }) => users.addAdministrator(actor, body))
  serve(contract.listUsers, ({ actor, body }) => users.list(actor, body))
  serve(contract.reportUsers, ({ actor, query }) => users.list(actor, { ...query, Size: maxReported }))
  serve(contract.accountDetails, ({ actor }) => users.details(actor))
  serve(contract.deleteUser, ({ actor, body }) => users.remove(actor, body.AccountID))
  serve(contract.editUser, ({ actor, body }) => users.edit(actor, body))
  serve(contract.listSessions, ({ actor, query }) => sessions.list(actor, query.AccountID))
  serve(contract.endSession, ({ actor, body }) => sessions.end(actor, body))
  serve(contract.resetSecondFactor, ({ actor, body }) => users.resetSecondFactor(actor, body.AccountID))
  serve(contract.partnerLogin, ({ body, address }) => partner.signIn(body, address))
}
