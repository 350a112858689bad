import { priorities } from '@linewarden/equipment'
import { alarmStates, eventKinds } from '@linewarden/rules/alarm'
import { countedAs } from '@linewarden/rules/hazard'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { ControllerID, exact, id, optional, orNull, paging, sorting, time } from '../../core/schemas.ts'
import { EventRecord } from './alarm.ts'

/** Up to so many the total of a list is counted; beyond, it is known that there are more. */
export const maxEventTotal = 10_000

/** The number of an event. */
export const eventNumber = Type.String({ pattern: '^[0-9]{1,18}$' })

/** What the statistics count an event as: the figures of `/hazards/analysis`. */
export const countedFigures = [...countedAs, 'longActive'] as const
const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })

const Counted = Type.Object(
  {
    As: Type.Enum(countedFigures, {
      description:
        '`longActive`: active for more than 24 h at `From`, or where days are given at the midnight that begins `FromDay`',
    }),
    From: optional(time('Start; of windows of ten minutes those that begin from here on')),
    To: optional(time('End, excluded')),
    FromDay: optional({ ...Day, description: 'First day, by the clock of each project' }),
    ToDay: optional({ ...Day, description: 'Last day, likewise' }),
    Hour: optional(
      Type.Object(
        {
          Weekday: Type.Integer({ minimum: 0, maximum: 6, description: '0: Monday' }),
          Hour: Type.Integer({ minimum: 0, maximum: 23 }),
          TimeZone: Type.String({ maxLength: 64, description: 'By whose clock: the zone of a project' }),
        },
        { ...exact, description: 'Only in this hour of the week' },
      ),
    ),
  },
  { ...exact, description: 'Only what the statistics counted as this, when they did: the list behind a figure' },
)

/** Which events: each field narrows it further, and one that is left out does not. */
export const eventFilter = {
  HouseID: optional(id),
  CityID: optional(id),
  DeviceID: optional(id),
  ControllerID: optional(ControllerID),
  LineID: optional(id),
  Around: optional(
    Type.Boolean({ description: 'With `LineID`: also what concerns the whole device of the line, or its gateway' }),
  ),
  Here: optional(Type.Boolean({ description: 'Only what is of the very place that is named, nothing of what is below it' })),
  Model: optional(
    Type.Object(
      { Family: Type.String({ maxLength: 64 }), Model: Type.String({ maxLength: 64 }) },
      { ...exact, description: 'Of equipment of this model' },
    ),
  ),
  Open: optional(Type.Boolean({ description: 'Only events that still need somebody' })),
  Keys: optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z0-9.]{1,64}$' }), {
      minItems: 1,
      maxItems: 50,
      description: 'One of these alarms',
    }),
  ),
  Kinds: optional(Type.Array(Type.Enum(eventKinds), { minItems: 1, maxItems: eventKinds.length })),
  Priorities: optional(Type.Array(Type.Enum(priorities), { minItems: 1, maxItems: priorities.length })),
  States: optional(
    Type.Array(Type.Enum(alarmStates), {
      minItems: 1,
      maxItems: alarmStates.length,
      description: 'ISA-18.2; a journal entry or a work order has none',
    }),
  ),
  Shelved: optional(Type.Boolean({ description: 'Only what is on the shelf, or only what is not' })),
  Folded: optional(
    Type.Boolean({
      description:
        'Only the children of roots that the caller sees, or only the others: roots, and what stands by itself. Left out: both',
    }),
  ),
  IncidentID: optional(Type.String({ pattern: '^[0-9]{1,18}$', description: 'Only what was folded into this incident' })),
  Newest: optional(
    Type.Boolean({
      description: 'Only the newest event of each series, with `To` or `UpTo` as of then: one row for each alarm of a place',
    }),
  ),
  Counted: optional(Counted),
  From: optional(time('Raised then or later, for the first time or again')),
  To: optional(time('Raised before')),
  Text: optional(
    Type.String({
      maxLength: 64,
      description: 'Part of what it is called, or of the name of its project, gateway, device or line; case-insensitive',
    }),
  ),
} as const

export const listEvents = call({
  name: 'listEvents',
  onWalls: true,
  method: 'POST',
  path: '/messages/list',
  reads: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['events'],
  summary: `Events, newest first; \`Total\` counts up to ${maxEventTotal}`,
  body: Type.Object(
    {
      ...eventFilter,
      UpTo: optional({
        ...eventNumber,
        description: '`UpTo` of an earlier answer: nothing newer than what was shown then, so that pages belong together',
      }),
      After: optional({ ...eventNumber, description: '`UpTo` of an earlier answer: only what is newer than was shown then' }),
      Mark: optional({
        ...eventNumber,
        description: '`Mark` of an earlier answer: without what has called for somebody since, for the first time or again',
      }),
      /** Upwards is the mildest, the earliest and the fewest first. */
      ...sorting('EventID', 'Priority', 'RaisedAt', 'Raises'),
      Before: optional(
        Type.String({
          pattern: '^-?[0-9]{1,18}\\.[0-9]{1,18}$',
          description:
            '`Next` of the answer that came before, with the same filter and order: what follows it, whatever came or went meanwhile. Pages are counted from there',
        }),
      ),
      ...paging,
    },
    exact,
  ),
  datas: EventRecord,
  about: Type.Object(
    {
      Next: orNull(Type.String({ description: '`Before` of the next page; null: this is the last' })),
      Times: orNull(Type.Integer({ description: 'With `Counted`: how often these events were counted, all of them' })),
      IsTotalExact: Type.Boolean({ description: 'False: there are more than `Total`' }),
      UpTo: Type.String({ description: 'The newest event there was; whoever acknowledges all that match says this' }),
      Mark: Type.String({ description: 'The newest call for somebody that there was, likewise' }),
    },
    exact,
  ),
})
