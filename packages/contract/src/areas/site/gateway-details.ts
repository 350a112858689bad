import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull, time } from '../../core/schemas.ts'
import { DeviceName } from './devices.ts'
import { GatewayRecord, GatewayTarget, oneGateway } from './gateway-record.ts'

export const gatewayDetails = call({
  area: 'site',
  permission: 'session',
  name: 'gatewayDetails',
  method: 'GET',
  path: '/devices/:DeviceID',
  scope: oneGateway,
  shows: ['gateway', 'tags'],
  summary: 'One gateway with what stands behind it',
  params: GatewayTarget,
  data: Type.Object(
    {
      ...GatewayRecord.properties,
      Devices: Type.Array(DeviceName),
      RefusedDevices: Type.Array(
        Type.Object(
          {
            ID: Type.String({ description: 'As its birth named it' }),
            Reason: Type.Enum(['device_birth', 'too_many_devices', 'too_many_lines']),
            Detail: Type.String({ description: 'What is wrong with its birth' }),
            Since: time('first birth that could not be taken'),
            Messages: Type.Integer({ description: 'What it said since and nobody took' }),
          },
          exact,
        ),
        { description: 'Devices behind it that were not recognised, in its present session' },
      ),
      SetAside: Type.Array(
        Type.Object(
          {
            Reason: Type.String({ description: 'As in the quarantine; docs/wire-protocol.md lists them' }),
            Text: Type.Object(
              { zh: Type.String(), en: Type.String() },
              { ...exact, description: 'What is wrong, and what to do about it' },
            ),
            Detail: Type.String({ description: 'What was wrong with the last one' }),
            LastAt: time('last such message'),
            Messages: Type.Integer({ description: 'How many there were since the server started' }),
          },
          exact,
        ),
        { description: 'What it said in the last day and could not be taken, one of each reason, the newest first' },
      ),
      Refused: orNull(
        Type.Object(
          { Reason: Type.Enum(['disabled', 'secret', 'mqtt5', 'shared']), At: time('when it tried'), Address: Type.String() },
          {
            ...exact,
            description:
              'Its last try to connect was refused; `mqtt5`: it must be set to MQTT 3.1.1; `shared`: two use this number and push each other out; null: it was let in since, or never tried',
          },
        ),
      ),
    },
    exact,
  ),
})
