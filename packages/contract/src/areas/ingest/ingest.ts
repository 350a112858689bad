import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact } from '../../core/schemas.ts'

export const QuarantinedMessage = Type.Object(
  {
    ID: Type.String(),
    ReceivedAt: Type.Integer(),
    GatewayNumber: Type.Union([Type.String(), Type.Null()]),
    Topic: Type.String(),
    Reason: Type.String({ description: 'Stable code' }),
    Detail: Type.String(),
    Size: Type.Integer({ description: 'Bytes of the payload' }),
    Messages: Type.Integer({
      description:
        'How many messages it stands for: of a gateway that sends nothing else, the first of each hour are kept, and one row counts the others',
    }),
    Payload: Type.String({ description: 'First 4 KiB, base64' }),
  },
  exact,
)

export const quarantine = call({
  name: 'quarantine',
  method: 'GET',
  path: '/ingest/quarantine',
  area: 'ingest',
  permission: 'platform',
  scope: { kind: 'none' },
  summary: 'Messages that could not be taken, with the reason, newest first',
  query: Type.Object(
    {
      Page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
      Size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    },
    exact,
  ),
  datas: QuarantinedMessage,
})

export const ingestStatus = call({
  name: 'ingestStatus',
  method: 'GET',
  path: '/ingest/status',
  area: 'ingest',
  permission: 'platform',
  scope: { kind: 'none' },
  summary: 'What ingest has taken, refused and not understood since start',
  data: Type.Object(
    {
      Messages: Type.Integer(),
      Readings: Type.Integer(),
      Quarantined: Type.Integer(),
      Duplicates: Type.Integer(),
      Rebirths: Type.Integer(),
      UnknownMetrics: Type.Array(Type.Object({ Name: Type.String(), Family: Type.String(), Count: Type.Integer() }, exact)),
      GatewaysOnline: Type.Integer(),
      Degraded: Type.Boolean({ description: 'The database cannot be reached: nothing is acknowledged until it can' }),
    },
    exact,
  ),
})
