import { actionKeys } from '@linewarden/equipment'
import { commandStates } from '@linewarden/rules/control'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { ControllerID, exact, sorting, time } from '../../core/schemas.ts'
import { CommandRecord } from './control.ts'

/** A command with the names of where it went. */
export const LedgerEntry = Type.Object(
  {
    Command: CommandRecord,
    LineName: Type.String(),
    DeviceName: Type.String(),
    GatewayName: Type.String(),
    HouseName: Type.String(),
  },
  exact,
)
export type LedgerEntry = Type.Static<typeof LedgerEntry>

export const commandSources = ['console', 'group', 'timer', 'scene', 'linkage', 'reclosure'] as const

export const ledger = call({
  name: 'ledger',
  method: 'GET',
  path: '/commands',
  area: 'control',
  permission: 'devmon.ledger',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['commandHistory', 'site'],
  summary: 'The command ledger of everything I see, newest first',
  query: Type.Object(
    {
      ControllerID: Type.Optional(ControllerID),
      LineNo: Type.Optional(Type.Integer({ minimum: 0, maximum: 9999 })),
      HouseID: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
      LineName: Type.Optional(Type.String({ maxLength: 64, description: 'Part of the line name' })),
      Actor: Type.Optional(Type.String({ maxLength: 64, description: 'Part of the account name' })),
      Action: Type.Optional(Type.Enum(actionKeys)),
      State: Type.Optional(Type.Enum(commandStates)),
      Source: Type.Optional(Type.Enum(commandSources)),
      RunID: Type.Optional(Type.String({ format: 'uuid' })),
      From: Type.Optional(time('included')),
      To: Type.Optional(time('excluded')),
      Page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
      Size: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      ...sorting('RequestedAt', 'Actor', 'Action', 'State'),
    },
    exact,
  ),
  datas: LedgerEntry,
})

/** One step of a command as it was stored, with the fact that made it. */
export const CommandStep = Type.Object(
  { State: Type.Enum(commandStates), At: Type.Integer(), Evidence: Type.Record(Type.String(), Type.Unknown()) },
  exact,
)
export type CommandStep = Type.Static<typeof CommandStep>

export const commandSteps = call({
  name: 'commandSteps',
  method: 'GET',
  path: '/commands/:CommandID',
  area: 'control',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.ledger'],
  scope: { kind: 'own' },
  summary: 'Every step of one command with its time and evidence',
  params: Type.Object({ CommandID: Type.String({ format: 'uuid' }) }, exact),
  data: Type.Object({ Entry: LedgerEntry, Steps: Type.Array(CommandStep) }, exact),
})
