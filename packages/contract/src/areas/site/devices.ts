import { links } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { ControllerID, exact, id, orNull, paging, search, sorting, time, Version } from '../../core/schemas.ts'

export const DeviceName = Type.Object(
  {
    ControllerID: Type.String(),
    Name: Type.String(),
    Family: Type.String(),
    Model: Type.String(),
    LineCount: Type.Integer({ description: 'Without the device itself' }),
  },
  exact,
)

/** Warranty or service life that ends within 90 days, or is over. */
export const dueStates = ['expiring', 'expired'] as const
const DueState = orNull(
  Type.Enum(['good', ...dueStates], {
    description: 'On this day, in the time zone of the project; null: nothing is written down',
  }),
)
const Day = (description: string) =>
  orNull(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: `${description}, YYYY-MM-DD` }))
const lifeFields = {
  InstalledOn: Day('when it was put in'),
  WarrantyUntil: Day('the last day of its warranty'),
  ServiceYears: orNull(Type.Integer({ minimum: 1, maximum: 50, description: 'How many years it is good for' })),
} as const

const DeviceFilter = Type.Object(
  {
    HouseID: Type.Optional(id),
    Name: search,
    Family: Type.Optional(Type.String({ maxLength: 64 })),
    Link: Type.Optional(Type.Enum(links)),
    Due: Type.Optional(Type.Enum(dueStates)),
    Page: paging.Page,
    Size: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Default 10; an export asks for all' })),
    ...sorting('Name', 'ControllerID', 'Family', 'Model', 'LineCount', 'GatewayName', 'Number', 'HouseName', 'Link'),
  },
  exact,
)

export const DeviceRecord = Type.Object(
  {
    ...DeviceName.properties,
    Firmware: orNull(Type.String()),
    DeviceID: Type.Integer(),
    Number: Type.String(),
    GatewayName: Type.String(),
    IMEI: orNull(Type.String()),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    Address: Type.String(),
    PersonInCharge: Type.String(),
    ContactPhone: Type.String(),
    Link: Type.Enum(links),
    AddedAt: time('when its gateway was added'),
    ...lifeFields,
    EndOfLife: Day('the last day of its service life'),
    WarrantyDue: DueState,
    LifeDue: DueState,
    Version: Type.Integer(),
  },
  exact,
)
export type DeviceRecord = Type.Static<typeof DeviceRecord>

export const listDevices = call({
  name: 'listDevices',
  method: 'POST',
  path: '/devices/controllers',
  reads: true,
  area: 'site',
  permission: 'system.devLists',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['site'],
  summary: 'Devices I see, of every gateway',
  body: DeviceFilter,
  datas: DeviceRecord,
})

export const equipmentLedger = call({
  name: 'equipmentLedger',
  method: 'POST',
  path: '/devices/account',
  reads: true,
  area: 'site',
  permission: 'system.report',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['site'],
  summary: 'The equipment ledger: every device I see and where it stands',
  body: DeviceFilter,
  datas: DeviceRecord,
})

export const editEquipment = call({
  name: 'editEquipment',
  method: 'PUT',
  path: '/devices/controllers/:ControllerID/life',
  audited: true,
  area: 'site',
  permission: 'system.report',
  scope: { kind: 'controller', id: 'ControllerID' },
  touches: ['site', 'gateway'],
  summary: 'Write down when a device was put in, how long its warranty lasts and how many years it is good for',
  params: Type.Object({ ControllerID }, exact),
  body: Type.Object({ ...lifeFields, Version }, exact),
  data: DeviceRecord,
})
