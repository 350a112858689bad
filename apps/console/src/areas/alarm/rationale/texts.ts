import { inBoth } from '../../../ui/in-both.ts'

/** What the rationalisation sheet says of an alarm. */
export const alarmRationale = inBoth(
  {
    title: '处置建议',
    time: '处置时间：{{time}}',
    why: '原因与依据',
    cause: '可能原因',
    consequence: '不处理的后果',
    priority: '级别依据',
    basis: '限值依据',
  },
  {
    title: 'What to do',
    time: 'Time there is: {{time}}',
    why: 'Causes and reasons',
    cause: 'Likely cause',
    consequence: 'If nobody does anything',
    priority: 'Why this priority',
    basis: 'Where the limit comes from',
  },
)
