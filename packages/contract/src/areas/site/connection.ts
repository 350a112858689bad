import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull, time } from '../../core/schemas.ts'
import { GatewayNumber, toManageGateways } from './gateway-record.ts'

export const gatewayAccess = call({
  ...toManageGateways,
  name: 'gatewayAccess',
  method: 'GET',
  path: '/devices/access',
  scope: { kind: 'own' },
  summary: 'Where gateways connect to',
  data: Type.Object(
    {
      Url: orNull(
        Type.String({
          description: 'As this installation has set it; null: the host this console is opened on',
        }),
      ),
      Port: Type.Integer({ description: 'On which this server listens for gateways' }),
      Tls: Type.Boolean({ description: 'Whether that port speaks TLS (mqtts://)' }),
    },
    exact,
  ),
})

export const announcedGateways = call({
  name: 'announcedGateways',
  method: 'GET',
  path: '/devices/announced',
  area: 'site',
  permission: 'platform',
  scope: { kind: 'none' },
  shows: ['site'],
  summary: 'Numbers that try to connect and that nobody has added, whoever tried last first; at most 500',
  datas: Type.Object(
    {
      Number: Type.String(),
      FirstAt: time('first try'),
      LastAt: time('last try'),
      Tries: Type.Integer(),
      Address: Type.String({ description: 'From where it tried last; behind a proxy, the proxy' }),
      Mqtt5: Type.Boolean({ description: 'It tried MQTT 5 last: it must be set to MQTT 3.1.1' }),
    },
    exact,
  ),
})

export const dismissGateway = call({
  name: 'dismissGateway',
  subject: [{ called: 'Number' }],
  method: 'PUT',
  path: '/devices/announced/dismiss',
  audited: true,
  area: 'site',
  permission: 'platform',
  scope: { kind: 'none' },
  touches: ['site', 'gateway'],
  summary: 'Show such a number no more; it can still be added',
  body: Type.Object({ Number: GatewayNumber }, exact),
})
