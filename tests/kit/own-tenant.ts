import type { Client } from '@linewarden/client'
import { addGateway, addRole, addSubAccount, projectsByGroup } from '@linewarden/contract'
import { newGateway, newProject, subOf } from './two-owners.ts'

/** Makes a project, a gateway, a role and a sub-account of this name, and answers the ids that calls name. */
export async function ownTenant(client: Client, name: string, mobile: string) {
  const { HouseID } = await newProject(client, name)
  const { Gateway } = await client.call(addGateway, { body: { HouseID, ...newGateway(name, name) } })
  const groups = await client.call(projectsByGroup)
  const { RoleID } = await client.call(addRole, { body: { Number: mobile, Name: name, Privileges: ['energy'], Buttons: [] } })
  const { AccountID } = await client.call(addSubAccount, {
    body: { ...subOf(mobile), NickName: name, RoleID, Assigned: { HouseIDs: [HouseID], DeviceIDs: [] } },
  })
  const { DeviceID } = Gateway
  return {
    ...{ HouseID, HouseIDs: [HouseID], DeviceID, DeviceIDs: [DeviceID], AccountID, RoleID },
    ...{ CityID: groups.items[0]?.CityID, ControllerID: 'A-T1', LineID: 1, LineNo: 1 },
  }
}
