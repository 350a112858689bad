import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, maybe, orNull, paging, search, sorting, Text, uuid, VersionRead } from '../../core/schemas.ts'

const role = { area: 'people', permission: 'system.roles', scope: { kind: 'own' } } as const
const keys = (most: number) => Type.Array(Type.String({ maxLength: 64 }), { maxItems: most, uniqueItems: true })

export const RoleRecord = Type.Object(
  {
    RoleID: Type.Integer(),
    Number: Type.String(),
    Name: Type.String(),
    Description: Type.String(),
    Privileges: Type.Array(Type.String(), { description: 'Page permissions by key, see GET /roles/privileges' }),
    Buttons: Type.Array(Type.String(), { description: 'Button permissions by key' }),
    UserCount: Type.Integer({ description: 'Accounts that have it: while there are any it cannot be deleted' }),
    OwnerID: orNull(Type.String()),
    OwnerName: Type.String(),
    Version: Type.Integer(),
  },
  exact,
)
export type RoleRecord = Type.Static<typeof RoleRecord>

const fields = {
  Number: called(32),
  Name: called(64),
  Description: Type.Optional(maybe(200)),
  Privileges: keys(100),
  Buttons: keys(20),
}

export const addRole = call({
  ...role,
  name: 'addRole',
  subject: [{ called: 'Number' }, { owner: 'OwnerID' }],
  method: 'POST',
  path: '/roles/insert',
  audited: true,
  touches: ['roles'],
  summary: 'Add a role with at least one permission, none of them beyond my own',
  body: Type.Object({ ...fields, OwnerID: Type.Optional(uuid) }, exact),
  data: RoleRecord,
})

export const queryRoles = call({
  ...role,
  name: 'queryRoles',
  method: 'POST',
  path: '/roles/query',
  reads: true,
  shows: ['roles'],
  summary: 'Roles of my tree that allow nothing beyond my own',
  body: Type.Object({ Name: search, ...paging, ...sorting('Name', 'Number', 'UserCount', 'OwnerName') }, exact),
  datas: RoleRecord,
})

export const editRole = call({
  ...role,
  name: 'editRole',
  subject: [{ kind: 'role', id: 'RoleID' }],
  method: 'PUT',
  path: '/roles/update',
  audited: true,
  touches: ['roles', 'users'],
  summary: 'Edit a role; whoever has it has its new rights at once',
  body: Type.Object({ RoleID: id, ...fields, Version: VersionRead }, exact),
  data: RoleRecord,
})

export const deleteRole = call({
  ...role,
  name: 'deleteRole',
  subject: [{ kind: 'role', id: 'RoleID' }],
  method: 'PUT',
  path: '/roles/delete',
  audited: true,
  touches: ['roles', 'users'],
  summary: 'Delete a role that nobody has',
  body: Type.Object({ RoleID: id }, exact),
})

export const allRoles = call({
  ...role,
  name: 'allRoles',
  method: 'GET',
  path: '/roles/query/all',
  permission: 'system.users',
  shows: ['roles'],
  summary: 'Roles that I may give to an account',
  datas: Type.Object(
    { RoleID: Type.Integer(), Number: Type.String(), Name: Type.String(), OwnerID: orNull(Type.String()) },
    exact,
  ),
})

const Choice = { Key: Type.String(), Name: Text }

export const rolePermissions = call({
  ...role,
  name: 'rolePermissions',
  method: 'GET',
  path: '/roles/privileges',
  shows: ['roles'],
  summary: 'Every permission there is, as the tree of the role form; `Mine` says which of them I may give',
  data: Type.Object(
    {
      Pages: Type.Array(
        Type.Object(
          {
            ...Choice,
            Mine: Type.Boolean(),
            Subs: Type.Array(Type.Object({ ...Choice, Mine: Type.Boolean() }, exact)),
          },
          exact,
        ),
      ),
      Buttons: Type.Array(Type.Object({ ...Choice, Mine: Type.Boolean() }, exact)),
    },
    exact,
  ),
})
