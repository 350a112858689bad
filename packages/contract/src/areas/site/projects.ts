import { standards } from '@linewarden/rules/site'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, maybe, orNull, paging, requiredText, search, sorting, time, VersionRead } from '../../core/schemas.ts'
import { GatewayRecord } from './gateway-record.ts'

const project = { area: 'site', permission: 'system.project' } as const
const one = { kind: 'project', id: 'HouseID' } as const
const HouseTarget = Type.Object({ HouseID: id }, exact)

export const ProjectRecord = Type.Object(
  {
    HouseID: Type.Integer(),
    Name: Type.String(),
    Number: Type.String(),
    PersonInCharge: Type.String(),
    ContactPhone: Type.String(),
    Province: Type.String(),
    City: Type.String(),
    District: Type.String(),
    Address: Type.String(),
    Remark: Type.String(),
    TimeZone: Type.String({ description: 'IANA' }),
    Currency: Type.String({ description: 'ISO 4217' }),
    Standard: Type.Enum(standards),
    CCID: Type.String({ description: "The project's code at a connected monitoring centre" }),
    Latitude: orNull(Type.Number({ description: 'Degrees, north positive; null: not entered' })),
    Longitude: orNull(Type.Number({ description: 'Degrees, east positive' })),
    TimedLines: Type.Enum(['ask', 'refuse', 'free'], {
      description: 'What a close by hand needs of a line that an enabled timer acts on',
    }),
    CityID: Type.Integer(),
    CityName: Type.String(),
    CityIsDefault: Type.Boolean({ description: 'Whether that is the group which its owner has from the start' }),
    UserName: Type.String({ description: "Its administrator's account; empty: the installation" }),
    OwnerID: orNull(Type.String()),
    GatewayCount: Type.Integer(),
    CreatedAt: time('when it was added'),
    Version: Type.Integer(),
  },
  exact,
)
export type ProjectRecord = Type.Static<typeof ProjectRecord>

const Ccid = Type.String({ pattern: '^[A-Za-z0-9_-]{0,32}$', description: 'Empty: none' })

const degrees = (most: number, description: string) => Type.Number({ minimum: -most, maximum: most, description })

const fields = {
  Name: called(64),
  Number: Type.Optional(maybe(32)),
  PersonInCharge: requiredText(32),
  ContactPhone: Type.String({ pattern: '^[0-9+() -]{5,24}$' }),
  Province: requiredText(32),
  City: requiredText(32),
  District: requiredText(32),
  Address: Type.Optional(maybe(200)),
  Remark: Type.Optional(maybe(500)),
  TimeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'IANA; default Asia/Shanghai' })),
  Currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217; default CNY' })),
  Standard: Type.Optional(Type.Enum(standards)),
  CCID: Type.Optional(Ccid),
  Latitude: Type.Optional(orNull(degrees(90, 'Degrees, north positive; what timers by the sun go by'))),
  TimedLines: Type.Optional(
    Type.Enum(['ask', 'refuse', 'free'], {
      description: '`ask`: an `Override` with it. `refuse`: the timer without the line. `free`: nothing. Default ask',
    }),
  ),
  Longitude: Type.Optional(orNull(degrees(180, 'Degrees, east positive; with the latitude or not at all'))),
}

export const addProject = call({
  ...project,
  name: 'addProject',
  subject: [{ called: 'Name' }, { kind: 'group', id: 'CityID' }],
  method: 'POST',
  path: '/houses',
  audited: true,
  scope: { kind: 'group', id: 'CityID', optional: true },
  touches: ['site', 'gateway'],
  summary: 'Add a project; without a group it goes into the default one',
  body: Type.Object({ ...fields, CityID: Type.Optional(id) }, exact),
  data: ProjectRecord,
})

export const editProject = call({
  ...project,
  name: 'editProject',
  method: 'PUT',
  path: '/houses/:HouseID',
  audited: true,
  scope: one,
  touches: ['site', 'gateway'],
  summary: 'Edit a project; what is left out of the optional fields stays as it is',
  params: HouseTarget,
  body: Type.Object({ ...fields, Version: VersionRead }, exact),
  data: ProjectRecord,
})

export const deleteProject = call({
  ...project,
  name: 'deleteProject',
  method: 'PUT',
  path: '/houses/delete',
  audited: true,
  scope: one,
  touches: ['site', 'gateway'],
  summary: 'Remove a project that holds no gateways; its history is kept',
  body: HouseTarget,
})

export const projectDetails = call({
  ...project,
  name: 'projectDetails',
  method: 'GET',
  path: '/houses/:HouseID',
  permission: 'session',
  scope: { ...one, part: true },
  summary: 'One project with its gateways',
  params: HouseTarget,
  data: Type.Object({ ...ProjectRecord.properties, Devices: Type.Array(GatewayRecord) }, exact),
})

const order = sorting('Name', 'Number', 'PersonInCharge', 'CityName', 'UserName', 'CreatedAt')
const ListQuery = Type.Object({ HouseName: search, CityID: Type.Optional(id), ...paging, ...order }, exact)

export const listProjects = call({
  ...project,
  name: 'listProjects',
  method: 'GET',
  path: '/houses/list',
  scope: { kind: 'group', id: 'CityID', optional: true },
  shows: ['site'],
  summary: 'Projects of my tree, newest first',
  query: ListQuery,
  datas: ProjectRecord,
})

export const ProjectName = Type.Object({ HouseID: Type.Integer(), Name: Type.String() }, exact)

export const lookupProjects = call({
  name: 'lookupProjects',
  method: 'GET',
  path: '/houses/list/lookup',
  area: 'site',
  permission: 'session',
  scope: { kind: 'own' },
  shows: ['site'],
  summary: 'Names of every project I see, for pickers',
  query: Type.Object({ HouseName: search }, exact),
  datas: ProjectName,
})

export const projectsOfUser = call({
  name: 'projectsOfUser',
  method: 'GET',
  path: '/houses/list/username',
  area: 'site',
  permission: 'system.users',
  scope: { kind: 'own' },
  summary: 'Projects that an account which I may manage sees, whole or in part',
  query: Type.Object({ UserName: Type.String({ minLength: 1, maxLength: 64 }) }, exact),
  datas: Type.Object({ ...ProjectName.properties, Whole: Type.Boolean() }, exact),
})

export const projectsByGroup = call({
  name: 'projectsByGroup',
  method: 'GET',
  path: '/houses/list/city',
  area: 'site',
  permission: 'session',
  scope: { kind: 'own' },
  shows: ['site'],
  summary: 'Groups that I see, with whose they are and the names of their projects; an administrator sees empty ones too',
  datas: Type.Object(
    {
      CityID: Type.Integer(),
      Name: Type.String(),
      IsDefault: Type.Boolean(),
      OwnerID: orNull(Type.String({ description: 'The project administrator; null: the installation' })),
      Houses: Type.Array(ProjectName),
    },
    exact,
  ),
})

export const setProjectCcid = call({
  ...project,
  name: 'setProjectCcid',
  method: 'POST',
  path: '/houses/ccid',
  audited: true,
  scope: one,
  touches: ['site', 'gateway'],
  summary: "Set the project's code at a connected monitoring centre; empty takes it away",
  body: Type.Object({ HouseID: id, CCID: Ccid, Version: VersionRead }, exact),
  data: ProjectRecord,
})

export const transferProject = call({
  ...project,
  name: 'transferProject',
  subject: [
    { kind: 'project', id: 'HouseID' },
    { kind: 'group', id: 'CityID' },
    { kind: 'account', id: 'UserName' },
  ],
  method: 'PUT',
  path: '/houses/transfer',
  audited: true,
  scope: one,
  touches: ['site', 'gateway'],
  summary:
    'Move a project to another group, and by the platform administrator to another project administrator; its history goes along',
  body: Type.Object(
    {
      HouseID: id,
      CityID: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Default: the new owner's default group" }),
      ),
      UserName: Type.Optional(
        Type.String({
          maxLength: 64,
          description: "The new administrator's account; empty: the installation; left out: the owner stays",
        }),
      ),
      Version: VersionRead,
    },
    exact,
  ),
  data: ProjectRecord,
})

export const reportProjects = call({
  ...project,
  name: 'reportProjects',
  method: 'GET',
  path: '/houses/report',
  scope: { kind: 'group', id: 'CityID', optional: true },
  summary: 'Every project of the list at once, for export; at most 10,000',
  query: Type.Object({ HouseName: search, CityID: Type.Optional(id), ...order }, exact),
  datas: ProjectRecord,
})
