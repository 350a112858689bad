import { allCalls } from '@linewarden/contract'
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

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** Names of the fields of a reply that hold a text and say by whom something was done. */
function* actorsIn({ properties = {}, items, anyOf = [] }: Shape): Generator<string> {
  for (const each of [...anyOf, ...(items ? [items] : [])]) yield* actorsIn(each)
  for (const [name, field] of Object.entries(properties)) {
    if (/(^|[a-z])By$/.test(name) && [field, ...(field.anyOf ?? [])].some(({ type }) => type === 'string')) yield name
    yield* actorsIn(field)
  }
}

test('no reply of any call has a field for who did something that is not hidden', () => {
  const fields = new Set(
    allCalls.flatMap((call) =>
      [call.data, call.datas, call.about].flatMap((shape) => (shape ? [...actorsIn(shape as Shape)] : [])),
    ),
  )
  expect(fields.size).toBeGreaterThan(3)
  const record = Object.fromEntries([...fields].map((field) => [field, '13900000001']))
  expect(Object.values(withoutPeople(record)).filter((value) => value !== '—')).toEqual([])
})
