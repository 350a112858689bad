import { alarmKinds } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterOf, isFiltered, readAddress, withoutFilters, writeAddress } from './address.ts'

const read = (text: string) => readAddress(new URLSearchParams(text))
const all = { kind: 'all' } as const
const now = 1_700_000_000_000
const open = { Open: true, Folded: false, Kinds: [...alarmKinds] }

test.each([
  ['nothing', '', open],
  ['all that was, one row for each series', 'view=all', { Folded: false, Newest: true, Kinds: [...alarmKinds] }],
  ['all that was, each event', 'view=all&fold=none', { Kinds: [...alarmKinds] }],
  ['kinds, in the order of the list', 'kinds=warning,alarm', { ...open, Kinds: ['alarm', 'warning'] }],
  ['a kind that there is not', 'kinds=smell', open],
  [
    'priorities and states',
    'priorities=critical&states=active,returned',
    { ...open, Priorities: ['critical'], States: ['active', 'returned'] },
  ],
  ['keys, each once', 'keys=trip.short,,trip.short,<b>', { ...open, Keys: ['trip.short'] }],
  ['what is on the shelf', 'shelved=yes', { ...open, Shelved: true }],
  ['what is not', 'shelved=no', { ...open, Shelved: false }],
  ['the last hour, whatever else the address says', 'last=hour1&from=5', { ...open, From: now - 3_600_000 }],
  ['a range', 'from=5&to=9', { ...open, From: 5, To: 9 }],
  ['a range that is none', 'from=yesterday&to=-1', open],
  ['no folding', 'fold=none', { Open: true, Kinds: [...alarmKinds] }],
  ['groups by place', 'fold=place', { Open: true, Kinds: [...alarmKinds] }],
  ['groups of what was, which there are not', 'fold=place&view=all', { Folded: false, Newest: true, Kinds: [...alarmKinds] }],
  [
    'what the statistics counted on days, whatever shows for it',
    'view=all&counted=raised&days=2026-03-01..2026-03-14&here=yes&model=breaker|3P',
    {
      Kinds: [...alarmKinds],
      Counted: { As: 'raised', FromDay: '2026-03-01', ToDay: '2026-03-14' },
      Here: true,
      Model: { Family: 'breaker', Model: '3P' },
    },
  ],
  [
    'what the statistics counted in an hour of the week: the range is theirs',
    'view=all&counted=announced&from=5&to=9&hour=0.8.Asia/Shanghai',
    {
      Kinds: [...alarmKinds],
      Counted: { As: 'announced', From: 5, To: 9, Hour: { Weekday: 0, Hour: 8, TimeZone: 'Asia/Shanghai' } },
    },
  ],
  ['what is counted as nothing', 'counted=guessed&days=2026-03-01..2026-03-14', open],
  ['a text', 'q=%20pump%20', { ...open, Text: 'pump' }],
])('an address with %s', (_, text, filter) => expect(filterOf(read(text), all, now)).toEqual(filter))

test.each([
  [{ kind: 'group', id: 3 }, { CityID: 3 }],
  [{ kind: 'house', id: 3 }, { HouseID: 3 }],
  [{ kind: 'gateway', house: 3, id: 4 }, { DeviceID: 4 }],
  [{ kind: 'device', house: 3, id: 'D-1' }, { ControllerID: 'D-1' }],
  [{ kind: 'line', house: 3, id: 9 }, { LineID: 9 }],
] as const)('the place is what the tree has selected: %j', (selection, place) =>
  expect(filterOf(read(''), selection, now)).toEqual({ ...open, ...place }),
)

test('an address that was written reads the same, and leaves what is none of its own', () => {
  const part = (values: readonly string[]) => fc.subarray([...values]).map((each) => each.join(','))
  fc.assert(
    fc.property(
      fc.record({
        view: fc.constantFrom('', 'all'),
        kinds: part(alarmKinds),
        priorities: part(['critical', 'low', 'none']),
        keys: part(['a.b', 'c', '?']),
        shelved: fc.constantFrom('', 'yes', 'no', 'x'),
        last: fc.constantFrom('', 'day1', 'year9'),
        from: fc.constantFrom('', '12', 'x'),
        q: fc.string({ maxLength: 70 }),
        fold: fc.constantFrom('', 'none', 'place', 'x'),
        sort: fc.constantFrom('', '-Raises', 'RaisedAt', '-Priority', 'Name'),
        event: fc.constantFrom('', '77', 'x'),
      }),
      (values) => {
        const address = readAddress(new URLSearchParams(values))
        const written = writeAddress(address, new URLSearchParams('at=house:3'))
        expect(readAddress(written)).toEqual(address)
        expect(written.get('at')).toBe('house:3')
      },
    ),
  )
})

test('without its filters an address keeps its view, its order and what is open', () => {
  const address = withoutFilters(read('view=all&kinds=alarm&q=x&last=day1&sort=Raises&event=7'))
  expect(isFiltered(address)).toBe(false)
  expect(writeAddress(address, new URLSearchParams()).toString()).toBe('view=all&sort=Raises&event=7')
})
