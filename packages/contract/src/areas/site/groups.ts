import type { Text } from '@linewarden/equipment'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, maybe, orNull, paging, search, sorting, uuid, VersionRead } from '../../core/schemas.ts'

const group = { area: 'site', permission: 'system.city' } as const

export const GroupRecord = Type.Object(
  {
    CityID: Type.Integer(),
    Name: Type.String(),
    Remark: Type.String(),
    IsDefault: Type.Boolean({ description: 'Cannot be deleted; new projects go here unless they name a group' }),
    HouseCount: Type.Integer({ description: 'Projects in it that I see' }),
    Mine: Type.Boolean({ description: 'Whether I may rename it, and delete it while it is empty: every project in it is mine' }),
    OwnerID: orNull(Type.String({ description: 'The project administrator; null: the installation' })),
    OwnerName: Type.String(),
    Version: Type.Integer(),
  },
  exact,
)
export type GroupRecord = Type.Static<typeof GroupRecord>

/** What the group is called that every owner has from the start, until somebody renames it. It is stored in Chinese. */
export const firstGroup = { zh: '默认分组', en: 'Default group' } as const satisfies Text

/** The name of a group as each reader reads it. */
export const groupNameOf = ({ Name, IsDefault }: Pick<GroupRecord, 'Name' | 'IsDefault'>): Text =>
  IsDefault && Name === firstGroup.zh ? firstGroup : { zh: Name, en: Name }

export const addGroup = call({
  ...group,
  name: 'addGroup',
  subject: [{ called: 'Name' }, { owner: 'OwnerID' }],
  method: 'POST',
  path: '/citys/insert',
  audited: true,
  scope: { kind: 'own' },
  touches: ['site', 'gateway'],
  summary: 'Add a group',
  body: Type.Object(
    {
      Name: called(50),
      Remark: Type.Optional(maybe(200)),
      OwnerID: Type.Optional(uuid),
    },
    exact,
  ),
  data: GroupRecord,
})

export const queryGroups = call({
  ...group,
  name: 'queryGroups',
  method: 'POST',
  path: '/citys/query',
  reads: true,
  scope: { kind: 'own' },
  shows: ['site'],
  summary: 'Groups of my tree that hold a project I see, the default one first',
  body: Type.Object({ Name: search, ...paging, ...sorting('Name', 'HouseCount', 'OwnerName') }, exact),
  datas: GroupRecord,
})

export const editGroup = call({
  ...group,
  name: 'editGroup',
  method: 'PUT',
  path: '/citys/update',
  audited: true,
  scope: { kind: 'group', id: 'CityID' },
  touches: ['site', 'gateway'],
  summary: 'Rename a group',
  body: Type.Object({ CityID: id, Name: called(50), Remark: Type.Optional(maybe(200)), Version: VersionRead }, exact),
  data: GroupRecord,
})

export const moveToGroup = call({
  ...group,
  name: 'moveToGroup',
  method: 'PUT',
  path: '/citys/updatecity',
  audited: true,
  scope: { kind: 'projects', id: 'HouseIDs', group: 'CityID' },
  touches: ['site', 'gateway'],
  summary: 'Put projects into a group of the same owner',
  body: Type.Object({ CityID: id, HouseIDs: Type.Array(id, { minItems: 1, maxItems: 500 }) }, exact),
})

export const deleteGroup = call({
  ...group,
  name: 'deleteGroup',
  method: 'DELETE',
  path: '/citys/delete/:CityID',
  audited: true,
  scope: { kind: 'group', id: 'CityID' },
  touches: ['site', 'gateway'],
  summary: 'Delete an empty group',
  params: Type.Object({ CityID: id }, exact),
})
