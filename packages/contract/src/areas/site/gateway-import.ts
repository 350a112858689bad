import * as Type from 'typebox'
import { call, largeBodyBytes } from '../../core/call.ts'
import { exact, id, Text } from '../../core/schemas.ts'
import { GatewaySecret, maxGateways, toManageGateways } from './gateway-record.ts'

/** A cell of an import holds at most this many characters. */
export const maxCell = 200
// One more is read, so that a longer one is named like any other bad cell.
const cell = Type.String({ maxLength: maxCell + 1 })

export const addGateways = call({
  ...toManageGateways,
  name: 'addGateways',
  maxBodyBytes: largeBodyBytes,
  method: 'POST',
  path: '/devices/batch',
  audited: true,
  scope: { kind: 'project', id: 'HouseID' },
  touches: ['site', 'gateway'],
  summary: 'Add many gateways, all or none; every bad cell is named. `DryRun` only checks',
  body: Type.Object(
    {
      HouseID: id,
      DryRun: Type.Boolean(),
      Rows: Type.Array(
        Type.Object(
          { Number: cell, Name: cell, IMEI: cell, Platform: cell, DeviceType: cell, Remark: Type.Optional(cell) },
          exact,
        ),
        { minItems: 1, maxItems: maxGateways },
      ),
    },
    exact,
  ),
  data: Type.Object(
    {
      Added: Type.Integer({ description: '0 after a dry run, or when a row is bad' }),
      Problems: Type.Array(Type.Object({ Row: Type.Integer({ description: 'From 1' }), Column: Type.String(), Text }, exact)),
      Gateways: Type.Array(Type.Object({ DeviceID: Type.Integer(), Number: Type.String(), Secret: GatewaySecret }, exact)),
    },
    exact,
  ),
})

export const proposeNumbers = call({
  ...toManageGateways,
  name: 'proposeNumbers',
  method: 'POST',
  path: '/devices/autonum',
  scope: { kind: 'own' },
  touches: [],
  summary: 'Free gateway numbers, each given out once',
  body: Type.Object({ Count: Type.Optional(Type.Integer({ minimum: 1, maximum: maxGateways })) }, exact),
  data: Type.Object({ Numbers: Type.Array(Type.String()) }, exact),
})
