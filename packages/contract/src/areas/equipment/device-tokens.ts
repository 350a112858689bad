import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { ControllerID, exact, ownUuid, requiredText } from '../../core/schemas.ts'
import { CommandRecord } from '../control/control.ts'
import { DeviceDetails } from './equipment.ts'

/**
 * `GET {token}` and `PUT {token}` of the specification: a detector that people reach by its own opaque token, without an account. The token
 * opens this one device's details and its silencing, as far as whoever made it may do so themselves, and nothing else.
 */

const made = { area: 'equipment', permission: 'system.geteway', scope: { kind: 'controller', id: 'ControllerID' } } as const
const Token = Type.String({ secret: true, minLength: 1, maxLength: 128 })

export const deviceToken = call({
  ...made,
  name: 'deviceToken',
  method: 'GET',
  path: '/devices/token/:ControllerID',
  shows: ['tokens'],
  summary: 'Whether a detector has an access token, when it was made and by whom; never the token itself',
  params: Type.Object({ ControllerID }, exact),
  data: Type.Object(
    { Token: Type.Union([Type.Object({ MadeBy: Type.String(), MadeAt: Type.Integer() }, exact), Type.Null()]) },
    exact,
  ),
})

export const issueToken = call({
  ...made,
  name: 'issueToken',
  audited: true,
  method: 'POST',
  path: '/devices/token',
  touches: ['tokens'],
  summary: 'Make the access token of a detector; it is answered once, and the one before it counts no more',
  body: Type.Object({ ControllerID }, exact),
  data: Type.Object({ Token: Type.String() }, exact),
})

export const revokeToken = call({
  ...made,
  name: 'revokeToken',
  audited: true,
  method: 'PUT',
  path: '/devices/token/revoke',
  touches: ['tokens'],
  summary: 'Take back the access token of a detector',
  body: Type.Object({ ControllerID }, exact),
})

export const tokenDetails = call({
  name: 'tokenDetails',
  method: 'GET',
  path: '/:Token',
  area: 'equipment',
  permission: 'public',
  scope: { kind: 'none' },
  summary: 'The detector that this token opens',
  params: Type.Object({ Token }, exact),
  data: DeviceDetails,
})

export const tokenSilencing = call({
  name: 'tokenSilencing',
  method: 'PUT',
  path: '/:Token',
  area: 'equipment',
  permission: 'public',
  scope: { kind: 'none' },
  touches: ['commandHistory'],
  summary: 'Silence the sounder of the detector that this token opens; the alarm itself stays until it is reset at the device',
  params: Type.Object({ Token }, exact),
  body: Type.Object({ CommandID: ownUuid, Reason: requiredText(200) }, exact),
  data: CommandRecord,
})
