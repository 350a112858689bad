import { dayClasses, maxImportDays } from '@linewarden/rules/automation'
import * as Type from 'typebox'
import { call, largeBodyBytes, listBodyBytes } from '../../core/call.ts'
import { called, exact, id, maybe, optional, orNull, Text } from '../../core/schemas.ts'

const date = Type.String({ maxLength: 10, description: 'By the calendar of the project, `2026-11-24`' })
const DayClass = Type.Enum(dayClasses)
/** Whoever enters days that move prices may edit projects. */
const Public = optional(
  Type.Boolean({
    description: 'The state arranged them: tariffs go by these holidays and make-up workdays, too; needs `system.project`',
  }),
)
const origins = ['bundle', 'import', 'person'] as const

/** Whose days: of one project, or of all projects of its owner. What a project enters goes before what its owner does. */
const For = optional(
  Type.Enum(['project', 'owner'], { description: 'Default `project`; `owner`: for all projects of its owner, administrators' }),
)

export const CalendarDay = Type.Object(
  {
    Date: date,
    Class: DayClass,
    Name: Type.String(),
    Origin: Type.Enum(origins),
    Public: Type.Boolean({ description: 'The state arranged it: tariffs go by it, too' }),
    Of: Type.Enum(['project', 'owner', 'bundle'], { description: '`owner`: entered for all projects of the owner' }),
    ChangedBy: orNull(Type.String({ description: 'Who entered or imported it; null of a bundled one' })),
    ChangedAt: orNull(Type.Integer({ description: 'Unix ms' })),
  },
  exact,
)
export type CalendarDay = Type.Static<typeof CalendarDay>

export const getCalendar = call({
  area: 'automation',
  permission: 'timer.list',
  shows: ['timers'],
  name: 'getCalendar',
  method: 'GET',
  path: '/calendars/:HouseID',
  scope: { kind: 'project', id: 'HouseID', part: true },
  summary: 'Days of a year that are none of the plain week: of the project, of its owner, and of the bundled holidays',
  params: Type.Object({ HouseID: id }, exact),
  query: Type.Object({ Year: Type.Integer({ minimum: 1_970, maximum: 9_999 }), For }, exact),
  data: Type.Object(
    {
      Days: Type.Array(CalendarDay),
      Unmaintained: Type.Array(Type.Integer(), { description: 'Years that need their holidays soon' }),
    },
    exact,
  ),
})

const changes = {
  area: 'automation',
  permission: 'manageTiming',
  touches: ['timers', 'tariffs', 'supplies'],
  scope: { kind: 'project', id: 'HouseID' },
  subject: [{ kind: 'project', id: 'HouseID' }],
} as const

export const updateCalendar = call({
  ...changes,
  name: 'updateCalendar',
  method: 'PUT',
  path: '/calendars/update',
  maxBodyBytes: listBodyBytes,
  summary:
    'Enter days of a project, or of all projects of its owner: they go before the bundled holidays. A class of null takes an entry away',
  body: Type.Object(
    {
      HouseID: id,
      For,
      Days: Type.Array(Type.Object({ Date: date, Class: orNull(DayClass), Name: optional(called(32)), Public }, exact), {
        minItems: 1,
        maxItems: 400,
      }),
    },
    exact,
  ),
})

/** As somebody wrote them: the server says what is wrong with each. */
const CalendarRow = Type.Object(
  {
    Row: Type.Integer({ minimum: 1, maximum: 2_000_000, description: 'Its number in the file, for whoever mends it' }),
    From: maybe(24, '`2027-01-01`, `2027/1/1`, `2027年1月1日`, or the number of the day in a spreadsheet'),
    To: optional(maybe(24, 'The last of several days')),
    Class: maybe(24, 'A word for a class of days, in either language: `holiday`, `节假日`, `补班`'),
    Name: optional(maybe(64)),
  },
  exact,
)

export const importCalendar = call({
  ...changes,
  name: 'importCalendar',
  method: 'POST',
  path: '/calendars/import',
  maxBodyBytes: largeBodyBytes,
  summary: 'Enter the days of an iCalendar file or of rows; a dry run shows what each would change and stores nothing',
  body: Type.Object(
    {
      HouseID: id,
      For,
      DryRun: Type.Boolean(),
      Ics: optional(
        Type.String({
          ...{ secret: true, minLength: 1, maxLength: 100_000 },
          description: 'An iCalendar file; its all-day events are days',
        }),
      ),
      Rows: optional(Type.Array(CalendarRow, { minItems: 1, maxItems: maxImportDays })),
      PlainClass: optional(Type.Enum(dayClasses, { description: 'Of events that do not say their class; default `holiday`' })),
      Public,
      OverEntered: optional(Type.Boolean({ description: 'Also over days that a person entered' })),
      LeaveOut: optional(Type.Boolean({ description: 'What is wrong is left out; without it, nothing is stored then' })),
    },
    exact,
  ),
  data: Type.Object(
    {
      Stored: Type.Integer({ description: 'Days that were entered; 0 of a dry run' }),
      Days: Type.Array(
        Type.Object(
          {
            Row: Type.Integer({ description: 'In the file' }),
            Date: date,
            Class: DayClass,
            Name: Type.String(),
            Change: Type.Enum(['new', 'changed', 'same', 'kept'], {
              description: '`same`: it is so already; `kept`: a person entered another class, and that stays',
            }),
            Before: Type.Object(
              {
                Class: DayClass,
                Name: orNull(Type.String()),
                Origin: orNull(Type.Enum(origins, { description: 'Null: a plain day of the week' })),
              },
              exact,
            ),
          },
          exact,
        ),
      ),
      Problems: Type.Array(Type.Object({ Row: Type.Integer(), Key: Type.String(), Text }, exact), {
        description: 'What was not read, by its row in the file',
      }),
    },
    exact,
  ),
})
