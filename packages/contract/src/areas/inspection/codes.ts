import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import { ControllerID, called, exact, id, optional, orNull } from '../../core/schemas.ts'

const inspection = { area: 'inspection', permission: 'hazard.patrol', scope: { kind: 'own' } } as const

/** 128 bits, as base32 without what looks alike. */
export const Code = Type.String({ pattern: '^[0-9A-HJKMNP-TV-Z]{26}$', description: 'As it stands on the label' })

const place = {
  Kind: Type.Enum(['gateway', 'device', 'place']),
  HouseID: Type.Integer(),
  HouseName: Type.String(),
  DeviceID: orNull(Type.Integer()),
  ControllerID: orNull(Type.String()),
  Place: orNull(Type.String()),
  Name: Type.String(),
  GatewayName: orNull(Type.String()),
} as const

/** So many labels at once: twenty sheets of 24. */
export const maxLabels = 480

export const inspectionCode = call({
  ...inspection,
  name: 'inspectionCode',
  method: 'GET',
  path: '/patrols/codes/:Code',
  permission: 'session',
  shows: ['inspectionRounds', 'inspectionLabels'],
  summary:
    'What a label is of, and the stops of running rounds there. A code that is unknown and one that I may not see answer alike',
  params: Type.Object({ Code: Type.String({ minLength: 1, maxLength: 64 }) }, exact),
  data: Type.Object(
    {
      ...place,
      Stops: Type.Array(
        Type.Object(
          { RoundID: Type.String(), StopID: Type.Integer(), Name: Type.String({ description: 'Of the round' }) },
          exact,
        ),
        { description: 'Of running rounds that I may answer' },
      ),
    },
    exact,
  ),
})

export const inspectionLabels = call({
  ...inspection,
  name: 'inspectionLabels',
  method: 'POST',
  path: '/patrols/labels',
  audited: true,
  movesEquipment: false,
  touches: ['inspectionLabels'],
  scope: { kind: 'project', id: 'HouseID' },
  subject: [
    { kind: 'project', id: 'HouseID' },
    { kind: 'gatewayId', id: 'Of.DeviceID' },
    { kind: 'device', id: 'Of.ControllerID' },
  ],
  summary: `Labels of gateways, devices and places, at most ${maxLabels}: each gets its code the first time. Issued again the old code is dead`,
  body: Type.Object(
    {
      HouseID: id,
      Of: Type.Array(
        Type.Object({ DeviceID: optional(id), ControllerID: optional(ControllerID), Place: optional(called(60)) }, exact),
        { minItems: 1, maxItems: maxLabels, description: 'Each a gateway, a device or a place' },
      ),
      Anew: optional(Type.Boolean({ description: 'The old labels are torn or lost: new codes, and the old ones are dead' })),
    },
    exact,
  ),
  maxBodyBytes: listBodyBytes,
  datas: Type.Object(
    { Code, Url: Type.String({ description: 'Path that the label opens, below the address of the console' }), ...place },
    exact,
  ),
})
