import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, linePlace, orNull, Text } from '../../core/schemas.ts'

const onLine = { area: 'control', scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' } } as const

/** Automatic re-closing of one line, and whether the policy allows it. */
export const Reclosure = Type.Object(
  {
    Enabled: Type.Boolean(),
    /** Seconds before each try. */
    DelaysS: Type.Array(Type.Integer()),
    /** 0: nobody ever set it. */
    Version: Type.Integer(),
    /** With whose rights it closes. */
    Actor: orNull(Type.String()),
    Attempts: Type.Integer(),
    NextAt: orNull(Type.Integer()),
    /** All tries came to nothing, somebody tripped it, or it no longer keeps the policy: it closes no more until somebody closes it or sets it anew. */
    LockedOutAt: orNull(Type.Integer()),
    LockedOutWhy: orNull(Type.Enum(['tries_used', 'person_tripped', 'outcome_unknown', 'policy_broken'])),
    Policy: Type.Array(Type.Object({ Key: Type.String(), Met: Type.Boolean(), What: Text, Why: orNull(Text) }, exact)),
  },
  exact,
)
export type Reclosure = Type.Static<typeof Reclosure>

export const reclosure = call({
  ...onLine,
  name: 'reclosure',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/reclosure',
  permission: 'devmon.realtime',
  shows: ['reclosures'],
  summary: 'Automatic re-closing of a line, and whether the policy allows it',
  params: Type.Object(linePlace, exact),
  data: Reclosure,
})

export const setReclosure = call({
  ...onLine,
  name: 'setReclosure',
  audited: true,
  method: 'PUT',
  path: '/devices/reclosureset',
  permission: 'lineSwitch',
  touches: ['reclosures'],
  summary: 'Let a line close by itself after a passing disturbance of the supply, with my rights when it fires',
  body: Type.Object(
    {
      ...linePlace,
      Enabled: Type.Boolean(),
      DelaysS: Type.Array(Type.Integer({ minimum: 1, maximum: 3_600 }), { maxItems: 10 }),
      Version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
      Grant: Type.Optional(
        Type.String({
          secret: true,
          minLength: 1,
          maxLength: 128,
          description: 'For `reclosure:{ControllerID}/{LineNo}/{SHA-256}` (`reclosureOperation`), when a control password is set',
        }),
      ),
    },
    exact,
  ),
  data: Reclosure,
})
