import { addRole, addSubAccount } from '@linewarden/contract'
import type { TwoOwners } from './two-owners.ts'
import { newProject, startTwoOwners, subOf } from './two-owners.ts'

/** Two owners with a project each, and a role by which the first one's people are on duty in hers. */
export async function startDuty(options: Parameters<typeof startTwoOwners>[0] = {}) {
  const all: TwoOwners = await startTwoOwners(options)
  const house = { HouseID: (await newProject(all.anna, '用户项目')).HouseID }
  const elsewhere = { HouseID: (await newProject(all.bert, '伯特项目')).HouseID }
  const body = { Number: 'duty', Name: '值班', Privileges: ['devmon', 'devmon.realtime', 'system.geteway'], Buttons: [] }
  const { RoleID } = await all.anna.call(addRole, { body })
  /** All of the first one's project. */
  const whole = () => ({ HouseIDs: [house.HouseID], DeviceIDs: [] as number[] })
  return {
    ...all,
    house,
    elsewhere,
    roleId: RoleID,
    whole,
    /** A sub-account of the first one, who sees the whole project. */
    add: (userName: string, more: object = {}) =>
      all.anna.call(addSubAccount, { body: { ...subOf(userName), RoleID, Assigned: whole(), ...more } }),
  }
}

export type Duty = Awaited<ReturnType<typeof startDuty>>
