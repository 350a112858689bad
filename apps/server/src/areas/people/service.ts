import type { Config } from '../../config.ts'
import type { Accounts } from '../account/service.ts'
import { createPartnerLogin } from './partner.ts'
import { createRoles } from './roles.ts'
import { createSessionList } from './session-list.ts'
import type { UserDeps } from './user-deps.ts'
import { createUsers } from './users.ts'

export type Administration = ReturnType<typeof createAdministration>

/** Everything about other people's accounts: users, roles, sessions. */
export function createAdministration(
  deps: Omit<UserDeps, 'accounts' | 'rightsChanged'> & {
    readonly accounts: Accounts
    readonly config: Pick<Config, 'partner'>
  },
) {
  const all = { ...deps, rightsChanged: deps.accounts.rightsChanged }
  const users = createUsers(all)
  return {
    users,
    roles: createRoles(all),
    sessions: createSessionList({ ...deps, reach: users.reach }),
    partner: createPartnerLogin(deps),
  }
}
