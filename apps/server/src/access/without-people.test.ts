import { expect, test } from 'vitest'
import { withoutPeople } from './without-people.ts'

test('whoever equipment is shared with reads what was done, and by none of its people', () => {
  const record = {
    Total: 1,
    items: [
      {
        Actor: '13900000001',
        Holder: '王工',
        RemovedBy: null,
        StoppedBy: '',
        Reason: '检修',
        At: 1,
        Steps: [{ ChangedBy: '李工' }],
      },
    ],
    about: { Actor: 'system', AcknowledgedBy: 'anna' },
  }
  expect(withoutPeople(record)).toEqual({
    Total: 1,
    items: [{ Actor: '—', Holder: '—', RemovedBy: null, StoppedBy: '', Reason: '检修', At: 1, Steps: [{ ChangedBy: '—' }] }],
    about: { Actor: 'system', AcknowledgedBy: '—' },
  })
  expect(record.items[0]?.Actor).toBe('13900000001')
})
