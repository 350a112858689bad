import { priorities } from '@linewarden/equipment'
import { comparisons, conditionKinds, runStates } from '@linewarden/rules/automation'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import {
  ControllerID,
  exact,
  id,
  linePlace,
  maybe,
  optional,
  orNull,
  paging,
  sorting,
  uuid,
  Version,
} from '../../core/schemas.ts'
import { orderTitle } from '../workorder/order.ts'
import { runPlace } from './runs.ts'

/** What a linkage can do. */
export const linkageActions = ['trip', 'close', 'scene', 'raise', 'workorder'] as const
export const linkageModes = ['shadow', 'live'] as const
/** How a linkage is shown, the worst of what it is. */
export const linkageMarks = ['disabled', 'halted', 'blind', 'shadow', 'live'] as const
export const truths = ['true', 'false', 'unknown'] as const

const automation = { area: 'automation', scope: { kind: 'own' } } as const
const changes = { ...automation, permission: 'manageScene', method: 'PUT', audited: true, touches: ['linkages'] } as const
const reads = { ...automation, permission: 'linkage.list', alsoFor: ['linkage.log'] } as const

const amount = (description: string) => Type.Number({ minimum: -1e12, maximum: 1e12, description })
const wide = { minimum: -1_000_000, maximum: 1_000_000 } as const

const conditionForm = {
  Kind: Type.Enum(conditionKinds),
  ...linePlace,
  Key: Type.String({
    maxLength: 64,
    description:
      'Of a `point` its key, of a `state` its key, of an `alarm` its key, with `@point` of one point only; of a `link` it is `link`',
  }),
  Op: Type.Enum(comparisons),
  Value: amount('Of a state the number of the value in its family; of an alarm 1 is open, of a link 1 is online'),
  Release: optional(
    orNull(amount('How far the value must come back before it can rise again; null: 5 % of the value, at least two steps')),
  ),
  ForS: Type.Integer({ ...wide, description: 'So long it must be so, 0-86,400 s' }),
} as const

const orderForm = {
  Title: { ...orderTitle, description: 'Left empty: as the linkage is called' },
  Priority: Type.Enum([...priorities]),
} as const

const actionForm = {
  Kind: Type.Enum(linkageActions),
  ControllerID: optional(orNull(ControllerID)),
  LineNo: optional(orNull(linePlace.LineNo)),
  SceneID: optional(orNull(id)),
  DelayS: Type.Integer({ ...wide, description: '0-3,600 s; at its time a close needs the condition still true' }),
  Order: optional(
    orNull(
      Type.Object(
        {
          ...orderForm,
          PersonInCharge: orNull({ ...uuid, description: 'Null, or no longer fit when it fires: the order is nobody’s yet' }),
        },
        {
          ...exact,
          description:
            'Of a `workorder`; left out: of medium priority. It is of whoever answers for the linkage, with their rights then',
        },
      ),
    ),
  ),
} as const

/** What people set of a linkage. What is wrong is named when it is saved, all at once. */
const form = {
  Name: Type.String({ maxLength: 128, description: 'At most 32 characters, of its own in the project' }),
  Enabled: Type.Boolean(),
  Mode: Type.Enum(linkageModes, { description: '`shadow`: it orders nothing and logs what it would have done' }),
  Match: Type.Enum(['all', 'any'], {
    description: 'Of `any`, fire, gas, arc or leakage fires by itself, also while another condition is true and after a halt',
  }),
  Conditions: Type.Array(Type.Object(conditionForm, exact), { maxItems: 12 }),
  ActiveHours: Type.Array(
    Type.Object(
      {
        Days: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Days of the week as bits, 0 Monday' }),
        From: Type.String({ maxLength: 12, description: '`HH:MM` or `HH:MM:SS` on the clock of the project' }),
        To: Type.String({ maxLength: 12, description: 'Not included; before `From` it is of the day after' }),
      },
      exact,
    ),
    { maxItems: 12, description: 'None: always' },
  ),
  Actions: Type.Array(Type.Object(actionForm, exact), { maxItems: 24 }),
  CooldownS: Type.Integer({ ...wide, description: '60-86,400 s' }),
  MaxPerHour: Type.Integer({ ...wide, description: '1-20' }),
  MaxPerDay: Type.Integer({ ...wide, description: '1-100' }),
  MayClose: Type.Boolean(),
} as const
export const LinkageForm = Type.Object(form, exact)
export type LinkageForm = Type.Static<typeof LinkageForm>

const Grant = optional(
  Type.String({
    ...{ secret: true, minLength: 1, maxLength: 128 },
    description: 'When a control password is set: for `automation:linkage:{LinkageID or new}:{SHA-256}`, see `linkageOperation`',
  }),
)

/** A line as a reply names it. */
export const lineNamed = {
  LineID: orNull(Type.Integer()),
  ControllerID: orNull(ControllerID),
  LineNo: orNull(linePlace.LineNo),
  LineName: orNull(Type.String()),
} as const

const Gone = Type.Boolean({
  description: 'It is no longer in the project: the linkage has stopped itself until somebody takes it out, or chooses another',
})

const LinkageCondition = Type.Object(
  {
    ...conditionForm,
    LineID: Type.Integer(),
    ControllerID: orNull(Type.String({ description: 'Null: it is gone, and the reader may not know what it was' })),
    LineNo: lineNamed.LineNo,
    LineName: Type.String({ description: 'Empty, as `ControllerID` is null' }),
    Gone,
    Family: Type.String({ description: 'Of its equipment: by it `Key` and `Value` have their words' }),
    Release: Type.Number(),
    Last: orNull(Type.Number({ description: 'The last value; null: not known' })),
    At: orNull(Type.Integer({ description: 'When it came, Unix ms' })),
    State: Type.Enum(truths),
    Since: orNull(Type.Integer({ description: 'Since when it is met without a gap; null: it is not, or that is not known' })),
  },
  exact,
)
export type LinkageCondition = Type.Static<typeof LinkageCondition>

const LinkageAction = Type.Object(
  {
    Kind: Type.Enum(linkageActions),
    ...lineNamed,
    SceneID: orNull(Type.Integer()),
    SceneName: orNull(Type.String()),
    Gone,
    DelayS: Type.Integer(),
    Order: orNull(
      Type.Object(
        {
          ...orderForm,
          PersonInCharge: orNull(Type.Object({ AccountID: Type.String(), Name: Type.String() }, exact)),
        },
        { ...exact, description: 'Of a `workorder`; nobody is named to a shared account' },
      ),
    ),
  },
  exact,
)

export const Linkage = Type.Object(
  {
    LinkageID: Type.Integer(),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    TimeZone: Type.String({ description: 'Of its project: `ActiveHours` are on its clock' }),
    ...form,
    Mark: Type.Enum(linkageMarks),
    Conditions: Type.Array(LinkageCondition, { description: 'Those whose line the reader sees, or that is gone' }),
    Actions: Type.Array(LinkageAction, { description: 'Those whose line the reader sees, or that is gone' }),
    State: Type.Enum(truths, { description: 'Of its conditions together' }),
    BlindConditions: Type.Array(Type.Integer(), {
      description: 'By their place among `Conditions`: unknown for longer than their duration and three reporting periods',
    }),
    HaltedAt: orNull(Type.Integer()),
    HaltedWhy: orNull(Type.Enum(['maxPerHour', 'maxPerDay', 'closesPerHour', 'broken'])),
    ShadowSince: orNull(Type.Integer()),
    OwnerName: orNull(Type.String({ description: 'With whose rights it fires' })),
    Orphan: Type.Boolean({ description: 'Its owner is gone, or may not switch its lines any more' }),
    Whole: Type.Boolean({ description: 'False: it has lines that the reader does not see; such a linkage is not changed' }),
    Version: Type.Integer(),
    ChangedAt: Type.Integer(),
    ChangedBy: orNull(Type.String()),
    LastRun: orNull(Type.Object({ RunID: Type.String(), At: Type.Integer(), State: Type.Enum(runStates) }, exact)),
  },
  exact,
)
export type Linkage = Type.Static<typeof Linkage>

export const LinkageTarget = Type.Object({ LinkageID: id }, exact)
export const aLinkage = [{ kind: 'linkage', id: 'LinkageID' }] as const
const aScene = { kind: 'scene', id: 'Actions.SceneID' } as const
const inProject = { kind: 'project', id: 'HouseID', optional: true, part: true } as const

export const queryLinkages = call({
  ...reads,
  name: 'queryLinkages',
  method: 'POST',
  path: '/linkages/query',
  reads: true,
  keepsAlive: false,
  scope: inProject,
  shows: ['linkages', 'automationRuns'],
  summary: 'Linkages with a line that I see, what needs somebody first, with the last value of each condition',
  body: Type.Object(
    {
      Name: optional(maybe(64, 'Part of its name, or of that of one of its lines')),
      ...runPlace,
      Mark: optional(Type.Enum(linkageMarks)),
      Orphan: optional(Type.Boolean()),
      ...sorting('Mark', 'Name', 'Last'),
      ...paging,
    },
    exact,
  ),
  datas: Linkage,
  about: Type.Object(
    {
      Marks: Type.Array(Type.Object({ Mark: Type.Enum(linkageMarks), Count: Type.Integer() }, exact), {
        description: 'How many of the place of the filter stand how',
      }),
      OrphansOf: Type.Array(Type.Object({ HouseID: Type.Integer(), Name: Type.String(), Count: Type.Integer() }, exact), {
        description: 'Projects with linkages, of the place of the filter, that nobody answers for',
      }),
    },
    exact,
  ),
})

export const getLinkage = call({
  ...reads,
  name: 'getLinkage',
  method: 'GET',
  path: '/linkages/:LinkageID',
  keepsAlive: false,
  shows: ['linkages', 'automationRuns'],
  summary: 'One linkage',
  params: LinkageTarget,
  data: Linkage,
})

export const insertLinkage = call({
  ...changes,
  name: 'insertLinkage',
  method: 'POST',
  path: '/linkages/insert',
  scope: { kind: 'project', id: 'HouseID', part: true },
  subject: [{ kind: 'project', id: 'HouseID' }, { called: 'Name' }, { kind: 'line', each: 'Actions' }, aScene],
  summary: 'Make a linkage of lines of one project; it fires with the rights that whoever saved it has at that moment',
  body: Type.Object({ HouseID: id, ...form, Grant }, exact),
  data: Linkage,
})

export const updateLinkage = call({
  ...changes,
  name: 'updateLinkage',
  path: '/linkages/update',
  subject: [...aLinkage, { kind: 'line', each: 'Actions' }, aScene],
  summary: 'Change a linkage, or take it over as it is; whoever saves it is its owner from then on',
  body: Type.Object({ LinkageID: id, Version, ...form, Grant }, exact),
  data: Linkage,
})

export const deleteLinkage = call({
  ...changes,
  name: 'deleteLinkage',
  path: '/linkages/delete',
  subject: aLinkage,
  touches: ['linkages', 'automationRuns'],
  summary: 'Remove a linkage; its log stays',
  body: Type.Object({ LinkageID: id, Version }, exact),
})

export const switchLinkage = call({
  ...changes,
  name: 'switchLinkage',
  path: '/linkages/switch',
  subject: aLinkage,
  touches: ['linkages', 'automationRuns'],
  summary: 'Enable or disable a linkage, let it order or only log, or clear what halted it. What is true then does not fire',
  body: Type.Object({ LinkageID: id, Version, Mode: Type.Enum(['enable', 'disable', 'shadow', 'live', 'clear']), Grant }, exact),
  data: Linkage,
})

export const takeLinkage = call({
  ...changes,
  name: 'takeLinkage',
  path: '/linkages/owner',
  subject: aLinkage,
  summary: 'Become the owner of a linkage as it is: from then on it fires with my rights',
  body: Type.Object({ LinkageID: id, Version, Grant }, exact),
  data: Linkage,
})

export const takeOrphanedLinkages = call({
  ...changes,
  name: 'takeOrphanedLinkages',
  path: '/linkages/orphans',
  scope: { kind: 'project', id: 'HouseID' },
  subject: [{ kind: 'project', id: 'HouseID' }],
  summary:
    'Become the owner of every linkage of a project that has none: administrators. Grant `automation:linkage:orphans:{HouseID}`',
  body: Type.Object({ HouseID: id, Grant }, exact),
  data: Type.Object({ Taken: Type.Integer(), Left: Type.Integer() }, exact),
})
