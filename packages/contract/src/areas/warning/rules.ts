import { priorities } from '@linewarden/equipment'
import { ruleGroups, ruleOrigins, targetKinds } from '@linewarden/rules/warning'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, maybe, optional, orNull, paging, Text } from '../../core/schemas.ts'

/** Lines that a rule names one by one. */
export const maxRuleLines = 2_000

export const onRules = {
  area: 'warning',
  permission: 'advance.warning',
  scope: { kind: 'project', id: 'HouseID', optional: true },
} as const

/** Left out: the default for all projects of the tenant that have no rule of their own. */
const HouseID = optional(id)
const Key = Type.String({ pattern: '^[A-Za-z.]{1,32}$', description: 'Of the rule, such as `leakage.step`' })
/** Which rule is meant, and where. */
export const ruleOfPlace = { HouseID, Key } as const
const lines = Type.Array(id, { maxItems: maxRuleLines, uniqueItems: true })

const RuleTargets = Type.Object(
  {
    Kind: Type.Enum(targetKinds),
    Families: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'Of `families`; otherwise empty',
    }),
    LineIDs: { ...lines, description: 'Of `lines`; otherwise empty' },
  },
  exact,
)

const Params = Type.Array(
  Type.Object(
    { Name: Type.String({ pattern: '^[A-Za-z]{1,32}$' }), Value: Type.Number({ minimum: -1_000_000, maximum: 1_000_000 }) },
    exact,
  ),
  { maxItems: 20, description: 'A figure that is left out is that of the level above: default, then built-in' },
)

/** What people set of a rule. */
export const ruleForm = {
  Enabled: Type.Boolean(),
  Params,
  Priority: Type.Enum(priorities),
  Targets: RuleTargets,
  Except: { ...lines, description: 'Lines that the rule leaves out' },
} as const
const RuleValues = Type.Object(ruleForm, exact)
export type WarningRuleValues = Type.Static<typeof RuleValues>

const RuleParameter = Type.Object(
  {
    Name: Type.String(),
    Label: Text,
    Unit: Type.String(),
    Value: Type.Number(),
    Default: Type.Number({ description: 'What it is when it is restored: of the default rule, or built in' }),
    BuiltIn: Type.Number(),
    Min: Type.Number(),
    Max: Type.Number(),
    Source: Type.String({ description: 'Standard or measurement that the built-in figure comes from' }),
    Stricter: orNull(Type.Enum(['up', 'down'], { description: 'Where a figure yields fewer findings; null: not always' })),
  },
  exact,
)

export const WarningRule = Type.Object(
  {
    RuleID: orNull(Type.Integer({ description: 'Null: nobody has made one, it is built in' })),
    HouseID: orNull(Type.Integer({ description: 'For which it is listed; null: the default' })),
    Key: Type.String(),
    Group: Type.Enum(ruleGroups),
    Label: Text,
    Meaning: Text,
    Origin: Type.Enum(ruleOrigins, { description: 'Where it is set: for the project, as the default, or built in' }),
    Enabled: Type.Boolean(),
    Unavailable: orNull(Type.Enum(['notMeasured'], { description: 'Why it cannot be switched on; null: it can' })),
    Params: Type.Array(RuleParameter),
    Priority: Type.Enum(priorities),
    DefaultPriority: Type.Enum(priorities),
    Targets: RuleTargets,
    Except: Type.Array(Type.Integer()),
    Version: Type.Integer({ description: 'Sent back with a change; 0: it was never set here' }),
    ChangedAt: orNull(Type.Integer()),
    ChangedBy: orNull(Type.String()),
    Lines: Type.Integer({ description: 'That it is applied to' }),
    Findings: Type.Integer({ description: 'Raised in the last 30 days on these lines' }),
    Noisy: Type.Boolean({ description: 'More than one finding for ten of its lines' }),
  },
  exact,
)
export type WarningRule = Type.Static<typeof WarningRule>

export const listWarningRules = call({
  ...onRules,
  name: 'listWarningRules',
  method: 'GET',
  path: '/warnings/rules',
  shows: ['warningRules'],
  summary:
    'The rules of early warning as they are in force for a project, or as the default: project, then default, then built-in',
  query: Type.Object({ HouseID }, exact),
  datas: WarningRule,
})

const Version = Type.Integer({
  ...{ minimum: 0, maximum: 2_147_483_647 },
  description: 'As it was read, 0 where it was never set here; another one is refused',
})
const Reason = optional(maybe(200, 'Why; it stands in the history of the rule'))

export const updateWarningRule = call({
  ...onRules,
  name: 'updateWarningRule',
  subject: [{ kind: 'project', id: 'HouseID' }, { called: 'Key' }],
  method: 'PUT',
  path: '/warnings/rules/update',
  audited: true,
  touches: ['warningRules'],
  maxBodyBytes: 131_072,
  summary: 'Set a rule of early warning: evaluated so from now on; findings that are open stay until they return',
  body: Type.Object({ ...ruleOfPlace, Version, ...ruleForm, Reason }, exact),
  data: WarningRule,
})

export const restoreWarningRule = call({
  ...onRules,
  name: 'restoreWarningRule',
  subject: [{ kind: 'project', id: 'HouseID' }, { called: 'Key' }],
  method: 'PUT',
  path: '/warnings/rules/restore',
  audited: true,
  touches: ['warningRules'],
  summary: 'Give up a rule of a project for the default, or the default for the built-in one',
  body: Type.Object({ ...ruleOfPlace, Version, Reason }, exact),
  data: WarningRule,
})

const RuleChange = Type.Object(
  {
    Version: Type.Integer(),
    At: Type.Integer(),
    By: Type.String(),
    Reason: Type.String(),
    Restored: Type.Boolean({ description: 'From then on it is as the level above' }),
    Changed: Type.Array(Type.String(), { description: 'Enabled, Priority, Targets, Except, or the name of a figure' }),
    Before: RuleValues,
    After: RuleValues,
  },
  exact,
)
export type WarningRuleChange = Type.Static<typeof RuleChange>

export const listWarningRuleChanges = call({
  ...onRules,
  name: 'listWarningRuleChanges',
  method: 'GET',
  path: '/warnings/rules/history',
  shows: ['warningRules'],
  summary: 'Who changed what of a rule, newest first',
  query: Type.Object({ ...ruleOfPlace, ...paging }, exact),
  datas: RuleChange,
})
