import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull, requiredText } from '../../core/schemas.ts'
import { Warning } from './warnings.ts'

const onFinding = {
  method: 'PUT',
  audited: true,
  area: 'warning',
  permission: 'devmon.faultalarm',
  scope: { kind: 'event', id: 'EventID' },
  touches: ['events'],
  params: Type.Object({ EventID: Type.String({ pattern: '^[0-9]{1,18}$' }) }, exact),
} as const

export const explainWarning = call({
  ...onFinding,
  name: 'explainWarning',
  path: '/warnings/:EventID/normal',
  summary: 'Say that a finding is a normal change: it ends as explained, and its line is learnt anew from a day on',
  body: Type.Object(
    {
      FromDay: Type.String({
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
        description: 'First day of the new baseline, by the calendar of the project: not later than today',
      }),
      Reason: requiredText(200),
    },
    exact,
  ),
  data: Warning,
})

export const undoNormalChange = call({
  ...onFinding,
  name: 'undoNormalChange',
  path: '/warnings/:EventID/normal/undo',
  summary:
    'Take back that a finding is a normal change: its line is compared with what it was before, and what was there is open again (`Again`; null: nothing was)',
  body: Type.Object({ Reason: requiredText(200) }, exact),
  data: Type.Object({ Warning, Again: orNull(Warning) }, exact),
})
