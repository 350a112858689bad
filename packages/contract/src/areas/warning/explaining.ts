import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, requiredText } from '../../core/schemas.ts'
import { Warning } from './warnings.ts'

export const explainWarning = call({
  name: 'explainWarning',
  method: 'PUT',
  path: '/warnings/:EventID/normal',
  audited: true,
  area: 'warning',
  permission: 'devmon.faultalarm',
  scope: { kind: 'event', id: 'EventID' },
  touches: ['events'],
  summary: 'Say that a finding is a normal change: it ends as explained, and its line is learnt anew from a day on',
  params: Type.Object({ EventID: Type.String({ pattern: '^[0-9]{1,18}$' }) }, exact),
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
