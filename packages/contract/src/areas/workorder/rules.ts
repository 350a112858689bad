import { priorities } from '@linewarden/equipment'
import { maxRotaPeople, maxRuleAfterMin, orderTypes, ruleOrdersPerHour, rulePreviewDays } from '@linewarden/rules/workorder'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, orNull, uuid } from '../../core/schemas.ts'
import { orderDays } from './order.ts'

const workorder = {
  area: 'workorder',
  permission: 'hazard.workorder',
  scope: { kind: 'project', id: 'HouseID' },
} as const

const RuleID = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

const fields = {
  Name: Type.String({ maxLength: 60 }),
  Enabled: Type.Boolean(),
  Keys: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    ...{ maxItems: 50, uniqueItems: true },
    description: 'Keys of alarms; none: whichever',
  }),
  Priorities: Type.Array(Type.Enum([...priorities]), { maxItems: 4, uniqueItems: true, description: 'None: whichever' }),
  AfterMin: Type.Integer({
    ...{ minimum: 0, maximum: maxRuleAfterMin },
    description: 'After it stands unacknowledged for so many minutes; 0: at once',
  }),
  Type: Type.Enum([...orderTypes]),
  Priority: orNull(Type.Enum([...priorities], { description: 'Null: that of the alarm' })),
  PersonID: orNull({ ...uuid, description: 'Who gets it; null, without a rota: nobody yet' }),
  Rota: orNull(
    Type.Object(
      {
        People: Type.Array(uuid, { minItems: 1, maxItems: maxRotaPeople }),
        EveryDays: Type.Integer({ minimum: 1, maximum: 366 }),
        FromDay: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'The first day of the first of them' }),
      },
      { ...exact, description: 'People in turn, each for so many days of the project' },
    ),
  ),
  ...orderDays,
} as const

export const OrderRule = Type.Object(
  {
    RuleID: Type.Integer(),
    HouseID: Type.Integer(),
    ...fields,
    People: Type.Array(Type.Object({ AccountID: Type.String(), Name: Type.String() }, exact), {
      description: 'Those that it names, as they are called; who is gone is missing',
    }),
    Owner: Type.String({ description: 'Who wrote it last: they are the founder of its orders' }),
    EnabledAt: orNull(Type.Integer({ description: 'Of what was raised before nobody is sent' })),
    Made: Type.Integer({ description: 'Orders that it made in the last 30 days' }),
    Version: Type.Integer(),
  },
  exact,
)
export type OrderRule = Type.Static<typeof OrderRule>

export const queryOrderRules = call({
  ...workorder,
  name: 'queryOrderRules',
  method: 'POST',
  path: '/workorders/rules/query',
  reads: true,
  shows: ['orderRules', 'workOrders'],
  summary: `Rules of a project that make orders of alarms: ${ruleOrdersPerHour} an hour, and one summary of what comes beyond`,
  body: Type.Object({ HouseID: id }, exact),
  datas: OrderRule,
  about: Type.Object(
    {
      Alarms: Type.Array(
        Type.Object({ Key: Type.String(), Label: Type.Object({ zh: Type.String(), en: Type.String() }, exact) }, exact),
        {
          description: 'Keys that alarms of the equipment have, as they are called',
        },
      ),
      MayChange: Type.Boolean(),
    },
    exact,
  ),
})

export const updateOrderRule = call({
  ...workorder,
  name: 'updateOrderRule',
  subject: [
    { kind: 'project', id: 'HouseID' },
    { kind: 'accountId', id: 'Rule.PersonID' },
  ],
  method: 'PUT',
  path: '/workorders/rules/update',
  audited: true,
  movesEquipment: false,
  touches: ['orderRules'],
  summary: 'Write a rule, a new one, or take one out: an administrator. Its orders are theirs from then on',
  body: Type.Object(
    {
      HouseID: id,
      RuleID: optional({ ...RuleID, description: 'Left out: a new one' }),
      Version: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: '0: a new one' }),
      Rule: orNull(Type.Object(fields, { ...exact, description: 'Null: it is taken out' })),
    },
    exact,
  ),
  datas: OrderRule,
})

export const previewOrderRule = call({
  ...workorder,
  name: 'previewOrderRule',
  method: 'POST',
  path: '/workorders/rules/preview',
  reads: true,
  shows: ['orderRules'],
  summary: `What a rule would have made of the last ${rulePreviewDays} days; nothing is saved`,
  body: Type.Object(
    { HouseID: id, Keys: fields.Keys, Priorities: fields.Priorities, AfterMin: fields.AfterMin, ValidDays: fields.ValidDays },
    exact,
  ),
  data: Type.Object(
    {
      Alarms: Type.Integer({ description: 'That came in all' }),
      Orders: Type.Integer(),
      Joined: Type.Integer({ description: 'That would have joined an order of their place and key' }),
      Summarised: Type.Integer({ description: 'Beyond the limit of an hour' }),
      Summaries: Type.Integer(),
      Worst: Type.Array(
        Type.Object(
          { Label: Type.Object({ zh: Type.String(), en: Type.String() }, exact), Where: Type.String(), Times: Type.Integer() },
          exact,
        ),
      ),
      IsWhole: Type.Boolean({ description: 'False: there were more alarms than were looked at' }),
    },
    exact,
  ),
})
