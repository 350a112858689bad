import { expect, test } from 'vitest'
import type { OrderForm } from './form.ts'
import { orderProblems } from './form.ts'

const whole: OrderForm = { description: '漏电缓升', personInCharge: 'worker', validDays: 7, reminderDays: 1 }

test.each<[string, Partial<OrderForm>, readonly object[]]>([
  ['nothing is wrong', {}, []],
  ['the description says nothing', { description: ' \n' }, [{ key: 'order description missing', field: 'Description' }]],
  ['nobody is in charge', { personInCharge: null }, [{ key: 'order person missing', field: 'PersonInCharge' }]],
  ['the last valid day is the 90th', { validDays: 90 }, []],
  ['after that it is too late', { validDays: 91 }, [{ key: 'order days wrong', field: 'ValidDays', from: 1, to: 90 }]],
  ['a day is whole', { validDays: 1.5 }, [{ key: 'order days wrong', field: 'ValidDays', from: 1, to: 90 }]],
  ['a reminder comes on the due day at the latest', { reminderDays: 7 }, []],
  ['and not after it', { reminderDays: 8 }, [{ key: 'order days wrong', field: 'ReminderDays', from: 1, to: 7 }]],
  [
    'nor rarer than every 30 days',
    { validDays: 90, reminderDays: 31 },
    [{ key: 'order days wrong', field: 'ReminderDays', from: 1, to: 30 }],
  ],
])('%s', (_, more, problems) => {
  expect(orderProblems({ ...whole, ...more })).toEqual(problems)
})

test('all of it is reported at once', () => {
  const wrong = { description: '', personInCharge: null, validDays: 0, reminderDays: 0 }
  expect(orderProblems(wrong).map(({ field }) => field)).toEqual(['Description', 'PersonInCharge', 'ValidDays', 'ReminderDays'])
})
