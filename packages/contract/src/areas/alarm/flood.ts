import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull } from '../../core/schemas.ts'

export const alarmFlood = call({
  name: 'alarmFlood',
  method: 'GET',
  path: '/messages/flood',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'own' },
  shows: ['events'],
  keepsAlive: false,
  silent: true,
  summary:
    'Whether more alarms than anybody can work on are announced to the caller: more than ten within ten minutes, until it is fewer than five. Nothing is dropped meanwhile',
  data: Type.Object(
    {
      Flood: orNull(
        Type.Object(
          {
            Since: Type.Integer({ description: 'Unix ms' }),
            Announced: Type.Integer({ description: 'Since the first of those that made it a flood' }),
          },
          exact,
        ),
      ),
    },
    exact,
  ),
})
