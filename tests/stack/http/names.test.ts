import type { Client } from '@linewarden/client'
import {
  accountDetails,
  addGateway,
  addGateways,
  addGroup,
  addProject,
  addPush,
  addRole,
  addSharedAccount,
  addSubAccount,
  brandingSettings,
  editBranding,
  editGroup,
  editProject,
  editRole,
  editUser,
  insertTemplate,
  queryGroups,
  queryRoles,
  renameGateway,
  renameLine,
  updateTemplate,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newImei, newProject, place, startTwoOwners, subOf } from '../../kit/two-owners.ts'

/** A name is as long as its field says, wherever it is given; never so long that it drowns a page, a message or a label. */

let all: TwoOwners
let HouseID: number
let CityID: number
let RoleID: number
let TemplateID: number
let gateway: { DeviceID: number; LineID: number }

const settings = { Family: 'breaker3p', Settings: [{ Key: 'leakage.trip', Value: 100 }] }
const role = { Privileges: ['devmon', 'devmon.realtime'], Buttons: [] }

beforeAll(async () => {
  all = await startTwoOwners()
  const { platform } = all
  HouseID = (await newProject(platform, '名称')).HouseID
  CityID = (await platform.call(addGroup, { body: { Name: '名称' } })).CityID
  RoleID = (await platform.call(addRole, { body: { Number: 'N-1', Name: '名称', ...role } })).RoleID
  TemplateID = (await platform.call(insertTemplate, { body: { Name: '名称', ...settings } })).TemplateID
  const line = all.stack.server.plant.lineAt('A-T1', 1)
  gateway = { DeviceID: line?.device.gateway.id ?? 0, LineID: line?.id ?? 0 }
})
afterAll(() => all?.close())

const row = (Name: string) => ({ Number: 'N-2', Name, IMEI: newImei(), Platform: 'json', DeviceType: '4G' })
const assigned = () => ({ RoleID, Assigned: { HouseIDs: [HouseID], DeviceIDs: [] } })
const me = async (client: Client) => (await client.call(accountDetails)).AccountID
const branding = async (client: Client, values: object) => {
  const { NameZh, NameEn, TitleZh, TitleEn, ProviderName, ProviderUrl, ProviderHost, Version } =
    await client.call(brandingSettings)
  const body = { NameZh, NameEn, TitleZh, TitleEn, ProviderName, ProviderUrl, ProviderHost, Version, ...values }
  return client.call(editBranding, { body })
}

const fields: Readonly<Record<string, (by: Client, name: string) => Promise<unknown>>> = {
  'a new project': (by, Name) => by.call(addProject, { body: { Name, ...place } }),
  'a project': (by, Name) => by.call(editProject, { params: { HouseID }, body: { Name, ...place, Version: 1 } }),
  'a new group': (by, Name) => by.call(addGroup, { body: { Name } }),
  'a group': (by, Name) => by.call(editGroup, { body: { CityID, Name, Version: 1 } }),
  'a new gateway': (by, Name) => by.call(addGateway, { body: { HouseID, ...newGateway('N-3'), Name } }),
  'an imported gateway': (by, Name) => by.call(addGateways, { body: { HouseID, DryRun: true, Rows: [row(Name)] } }),
  'a gateway': (by, Name) => by.call(renameGateway, { params: { DeviceID: gateway.DeviceID }, body: { Name, Version: 1 } }),
  'a line': (by, LineName) => by.call(renameLine, { params: gateway, body: { LineName } }),
  'a new role': (by, Name) => by.call(addRole, { body: { Number: 'N-4', Name, ...role } }),
  'a role': (by, Name) => by.call(editRole, { body: { RoleID, Number: 'N-1', Name, ...role, Version: 1 } }),
  'a sub-account': (by, NickName) => by.call(addSubAccount, { body: { ...subOf('13800000061'), NickName, ...assigned() } }),
  'a shared account': (by, NickName) => by.call(addSharedAccount, { body: { ...subOf('13800000062'), NickName, ...assigned() } }),
  'my account': async (by, NickName) => by.call(editUser, { body: { AccountID: await me(by), NickName } }),
  'a new template': (by, Name) => by.call(insertTemplate, { body: { Name, ...settings } }),
  'a template': (by, Name) => by.call(updateTemplate, { body: { TemplateID, Version: 1, Name, ...settings } }),
  'a push subscription': (by, Name) =>
    by.call(addPush, { body: { HouseID, Platform: 'onenet', Name, Products: [], ReportingPeriodS: 3_600 } }),
  'the installation': (by, NameZh) => branding(by, { NameZh }),
}

test.each(Object.entries(fields))('%s is not called by 10,000 characters', async (_, call) => {
  const { platform } = all
  const before = await names()
  expect(await outcomeOf(call(platform, '长'.repeat(10_000)))).toBe('invalid parameter')
  expect(await names()).toEqual(before)
})

/** What is called how, as far as a refused name could have changed it. */
async function names() {
  const { plant } = all.stack.server
  const groups = await all.platform.call(queryGroups, { body: { Size: 200 } })
  const roles = await all.platform.call(queryRoles, { body: { Size: 200 } })
  return [
    [...plant.gateways.values(), ...plant.lines.values()].map(({ name }) => name),
    groups.items.map(({ Name }) => Name),
    roles.items.map(({ Name }) => Name),
  ]
}
