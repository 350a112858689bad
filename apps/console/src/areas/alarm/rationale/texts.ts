import { inBoth } from '../../../ui/in-both.ts'

/** What the rationalisation sheet says of an alarm. */
export const alarmRationale = inBoth(
  {
    title: '处置建议',
    time: '处置时间：{{time}}',
    why: '原因与依据',
    Cause: '可能原因',
    Consequence: '不处理的后果',
    Priority: '级别依据',
    Basis: '限值依据',
  },
  {
    title: 'What to do',
    time: 'Time there is: {{time}}',
    why: 'Causes and reasons',
    Cause: 'Likely cause',
    Consequence: 'If nobody does anything',
    Priority: 'Why this priority',
    Basis: 'Where the limit comes from',
  },
)
