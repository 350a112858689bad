import { randomBytes } from 'node:crypto'
import type { Server } from '@linewarden/server/compose'
import type { Actor } from '../../apps/server/src/access/actor.ts'
import { md5 } from '../../apps/server/src/areas/account/passwords.ts'
import { accountByName } from '../../apps/server/src/store/account/account.ts'
import type { Person } from './past-records.ts'

/** Who writes orders, and who carries them out. Nobody knows their passwords: an administrator gives them others. */
const people = {
  founder: { userName: '13800138001', nickName: '周敏' },
  electrician: { userName: '13800138002', nickName: '王海峰' },
} as const
const role = {
  ...{ number: 'DEMO-WORK', name: '运维班组' },
  privileges: ['devmon', 'devmon.realtime', 'hazard', 'hazard.workorder', 'hazard.alarmList', 'hazard.patrol', 'hazard.devTest'],
}

export type People = Readonly<Record<keyof typeof people | 'administrator', Actor>>

/** Null: they are there already. */
export async function peopleOf({ accounts, database, plant }: Server, { accountId }: Person): Promise<People | null> {
  if (await accountByName(database.general, people.founder.userName)) return null
  const roleId = await accounts.createRole({ ...role, privileges: [...role.privileges], buttons: [] })
  const actorOf = async (id: string): Promise<Actor> => {
    const actor = await accounts.actorOf(id, '', '')
    if (!actor) throw new Error('there is no such account')
    return actor
  }
  const made = async ({ userName, nickName }: (typeof people)[keyof typeof people]) => {
    const passwordHash = await accounts.newHash(md5(randomBytes(24).toString('base64url')), userName, undefined)
    const given = { userName, nickName, kind: 'sub', roleId, passwordHash, controlHash: null, mustChangePassword: true } as const
    return actorOf(await accounts.addAccount({ ...given, projectIds: [...plant.projects.keys()] }, null))
  }
  return {
    founder: await made(people.founder),
    electrician: await made(people.electrician),
    administrator: await actorOf(accountId),
  }
}
