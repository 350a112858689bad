import { maxShelfMinutes, shelveRefusals } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, requiredText } from '../../core/schemas.ts'

/** How many events one press shelves. */
export const maxShelved = 50

const EventIDs = Type.Array(Type.String({ pattern: '^[0-9]{1,18}$' }), { minItems: 1, maxItems: maxShelved, uniqueItems: true })
const outcomes = <const O extends string>(names: readonly O[]) =>
  Type.Array(Type.Object({ EventID: Type.String(), Outcome: Type.Enum([...names]) }, exact), {
    description: 'What became of each, as they were given',
  })

export const shelveEvents = call({
  name: 'shelveEvents',
  subject: [{ kind: 'event', id: 'EventIDs' }],
  method: 'PUT',
  path: '/messages/shelve',
  audited: true,
  area: 'alarm',
  permission: 'hazard.alarmList',
  scope: { kind: 'own' },
  touches: ['events'],
  summary:
    'Keep alarms silent for a while, for a reason: on their place, however often they are raised meanwhile. They are evaluated and listed all the same, and come back by themselves',
  body: Type.Object(
    {
      EventIDs,
      Minutes: Type.Integer({ minimum: 1, maximum: maxShelfMinutes }),
      Reason: requiredText(200),
    },
    exact,
  ),
  data: Type.Object(
    {
      Shelved: Type.Integer(),
      Outcomes: outcomes(['shelved', 'gone', ...shelveRefusals]),
    },
    exact,
  ),
})

export const unshelveEvents = call({
  name: 'unshelveEvents',
  subject: [{ kind: 'event', id: 'EventIDs' }],
  method: 'PUT',
  path: '/messages/unshelve',
  audited: true,
  area: 'alarm',
  permission: 'hazard.alarmList',
  scope: { kind: 'own' },
  touches: ['events'],
  summary: 'Take alarms off the shelf; whoever does has seen them, so they come back acknowledged',
  body: Type.Object({ EventIDs }, exact),
  data: Type.Object(
    {
      Unshelved: Type.Integer(),
      Outcomes: outcomes(['unshelved', 'notShelved', 'gone']),
    },
    exact,
  ),
})
