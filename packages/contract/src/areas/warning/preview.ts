import { notEvaluatedReasons } from '@linewarden/rules/warning'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import { exact, optional, orNull, time } from '../../core/schemas.ts'
import { onRules, ruleForm, ruleOfPlace } from './rules.ts'

/** Of how many days a rule is tried out, and on how many lines at most. */
export const maxPreviewDays = 30
export const maxPreviewLines = 20_000

const PreviewSide = Type.Object(
  {
    Findings: Type.Integer(),
    Lines: Type.Integer({ description: 'On which something was raised' }),
    LongestHours: orNull(Type.Number({ description: 'Until it returned, or to the end; null: nothing was raised' })),
  },
  exact,
)

const RulePreview = Type.Object(
  {
    Key: Type.String(),
    From: Type.Integer({ description: 'Unix ms' }),
    To: Type.Integer({ description: 'Unix ms, excluded' }),
    Days: Type.Integer(),
    Lines: Type.Integer({ description: 'That the rule would be applied to' }),
    Excepted: Type.Integer({ description: 'Lines that it leaves out by name' }),
    Evaluated: Type.Integer({ description: 'Lines of which at least one day could be evaluated' }),
    NotEvaluated: Type.Array(Type.Object({ Reason: Type.Enum(notEvaluatedReasons), Lines: Type.Integer() }, exact), {
      description: 'Lines of which nothing could be said, by the reason that held longest',
    }),
    CoveragePercent: orNull(
      Type.Number({ description: 'Of the line-days, those that could be evaluated; null: there were none' }),
    ),
    New: PreviewSide,
    Present: PreviewSide,
    More: Type.Integer({ description: 'Findings that only the new rule raises' }),
    Fewer: Type.Integer({ description: 'Findings that only the present rule raises' }),
    PerDay: Type.Array(
      Type.Object(
        {
          Day: Type.String({ description: 'Local day of each project' }),
          New: Type.Integer(),
          Present: Type.Integer(),
          Both: Type.Integer(),
          Evaluated: Type.Integer({ description: 'Lines that could be evaluated that day' }),
        },
        exact,
      ),
    ),
    Noisiest: Type.Array(
      Type.Object(
        {
          LineID: Type.Integer(),
          ControllerID: Type.String(),
          LineNo: Type.Integer(),
          LineName: Type.String(),
          GatewayName: Type.String(),
          HouseName: Type.String(),
          New: Type.Integer(),
          Present: Type.Integer(),
        },
        exact,
      ),
      { maxItems: 10 },
    ),
    Noisy: Type.Boolean({ description: 'The new rule would raise more than one finding for ten of its lines in 30 days' }),
    NoisyAbove: Type.Number({ description: 'Findings of this stretch from which on it is noisy' }),
    Halving: orNull(
      Type.Object({ Name: Type.String(), Value: Type.Number(), Findings: Type.Integer() }, exact),
      // Of a noisy rule only.
    ),
    TookMs: Type.Integer(),
  },
  exact,
)
export type WarningRulePreview = Type.Static<typeof RulePreview>

export const previewWarningRule = call({
  ...onRules,
  name: 'previewWarningRule',
  method: 'POST',
  path: '/warnings/rules/preview',
  reads: true,
  maxBodyBytes: listBodyBytes,
  summary: 'What a rule would have raised in the last 30 days, beside the rule in force; nothing is saved',
  body: Type.Object(
    {
      ...ruleOfPlace,
      ...ruleForm,
      From: optional(time('Default 30 days before To')),
      To: optional(time('Default now; excluded')),
    },
    exact,
  ),
  data: RulePreview,
})
