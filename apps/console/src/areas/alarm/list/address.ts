import type { listEvents, Request } from '@linewarden/contract'
import { countedFigures } from '@linewarden/contract'
import type { AlarmKind, Priority } from '@linewarden/equipment'
import { alarmKinds, dayMs, hourMs, priorities } from '@linewarden/equipment'
import type { AlarmState } from '@linewarden/rules/alarm'
import { alarmStates } from '@linewarden/rules/alarm'
import type { Selection } from '../../../plant/equipment.ts'
import { placeFilter } from '../../../plant/place-filter.ts'

export type CountedFigure = (typeof countedFigures)[number]
type Asked = Request<typeof listEvents>['body']
/** Which events, as every call that takes a filter takes it. */
export type AlarmFilter = Omit<Asked, 'Sort' | 'Before' | 'UpTo' | 'After' | 'Page' | 'Size'>

/** Ranges of one press, counted back from now. */
export const ranges = { hour1: hourMs, day1: dayMs, day7: 7 * dayMs, day30: 30 * dayMs } as const
export type Range = keyof typeof ranges

/** The four orders of the list, each from either end; the first is the list's own. */
export const sortKeys = ['Priority', 'RaisedAt', 'Raises', 'EventID'] as const
export type SortKey = (typeof sortKeys)[number]
export type AlarmSort = SortKey | `-${SortKey}`
const ownSort: AlarmSort = '-Priority'

/** How events are folded: what an incident explains under its root (as it is without a word), by place, by alarm, or not at all. */
export const folds = ['incident', 'place', 'key', 'none'] as const
export type Fold = (typeof folds)[number]

/** What the address says, but for the place, which is the tree's: a link shows the same list. */
export interface AlarmAddress {
  /** Also what is over; else only what still needs somebody. */
  readonly past: boolean
  /** Empty lists narrow nothing. */
  readonly kinds: readonly AlarmKind[]
  readonly priorities: readonly Priority[]
  readonly states: readonly AlarmState[]
  readonly keys: readonly string[]
  readonly shelved: boolean | null
  /** Counted back from now; it goes before `from` and `to`. */
  readonly last: Range | null
  /** Unix ms; the end is excluded. */
  readonly from: number | null
  readonly to: number | null
  readonly text: string
  /** What the statistics counted as this; `from` and `to` then say when it was counted. */
  readonly counted: CountedFigure | null
  /** Days on which it was counted, as they are written: both. */
  readonly days: { readonly from: string; readonly to: string } | null
  /** Hour of the week in which it was counted. */
  readonly hour: { readonly weekday: number; readonly hour: number; readonly zone: string } | null
  /** Only what is of the very place, nothing below it. */
  readonly here: boolean
  readonly model: { readonly family: string; readonly model: string } | null
  readonly sort: AlarmSort
  readonly fold: Fold
  /** The event whose drawer is open. */
  readonly event: string | null
}

const statisticsNames = ['counted', 'days', 'hour', 'here', 'model']
const names = [
  ...statisticsNames,
  'view',
  'kinds',
  'priorities',
  'states',
  'keys',
  'shelved',
  'last',
  'from',
  'to',
  'q',
  'sort',
  'fold',
  'event',
]

const key = /^[A-Za-z0-9.]{1,64}$/
const maxKeys = 50
const maxText = 64

/** Reads an address; whatever of it cannot be read narrows nothing. */
export function readAddress(query: URLSearchParams): AlarmAddress {
  const last = query.get('last')
  const isRange = last !== null && Object.hasOwn(ranges, last)
  const shelved = query.get('shelved')
  const past = query.get('view') === 'all'
  const fold = query.get('fold')
  const event = query.get('event')
  return {
    past,
    kinds: among(query.get('kinds'), alarmKinds),
    priorities: among(query.get('priorities'), priorities),
    states: among(query.get('states'), alarmStates),
    keys: [...new Set((query.get('keys') ?? '').split(',').filter((each) => key.test(each)))].slice(0, maxKeys),
    shelved: shelved === 'yes' ? true : shelved === 'no' ? false : null,
    last: isRange ? (last as Range) : null,
    from: isRange ? null : moment(query.get('from')),
    to: isRange ? null : moment(query.get('to')),
    text: (query.get('q') ?? '').slice(0, maxText),
    ...readCounted(query),
    sort: sortIn(query.get('sort')),
    fold: folds.find((each) => each === fold) ?? folds[0],
    event: event !== null && /^[0-9]{1,18}$/.test(event) ? event : null,
  }
}

/** Writes it into an address, and leaves what is none of its own. What is as it is without a word is not written. */
export function writeAddress(address: AlarmAddress, into: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(into)
  const values: Readonly<Record<string, string>> = {
    view: address.past ? 'all' : '',
    kinds: address.kinds.join(','),
    priorities: address.priorities.join(','),
    states: address.states.join(','),
    keys: address.keys.join(','),
    shelved: address.shelved === null ? '' : address.shelved ? 'yes' : 'no',
    last: address.last ?? '',
    from: address.last === null && address.from !== null ? String(address.from) : '',
    to: address.last === null && address.to !== null ? String(address.to) : '',
    q: address.text,
    ...writtenCounted(address),
    sort: address.sort === ownSort ? '' : address.sort,
    fold: address.fold === folds[0] ? '' : address.fold,
    event: address.event ?? '',
  }
  for (const name of names) {
    const value = values[name] ?? ''
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  return query
}

/** As what is folded: groups are of what is open, and what is over is listed one by one. */
export const foldOf = ({ past, fold, counted }: Pick<AlarmAddress, 'past' | 'fold' | 'counted'>): Fold =>
  // What was counted is listed one by one: folded children among it.
  counted !== null ? 'none' : past && (fold === 'place' || fold === 'key') ? 'incident' : fold

/** The address without any filter: the place, the order and what is open stay. */
export const withoutFilters = (address: AlarmAddress): AlarmAddress => ({
  ...readAddress(new URLSearchParams()),
  past: address.past,
  sort: address.sort,
  fold: address.fold,
  event: address.event,
})

/** Whether anything but the place narrows the list. */
export const isFiltered = (address: AlarmAddress): boolean =>
  [address.kinds, address.priorities, address.states, address.keys].some((each) => each.length > 0) ||
  [address.shelved, address.last, address.from, address.to, address.counted, address.model].some((each) => each !== null) ||
  address.here ||
  address.text.trim() !== ''

/** What is asked of the server. `now`: when the list was begun, by which a range that counts back begins. */
export function filterOf(address: AlarmAddress, selection: Selection, now: number): AlarmFilter {
  const from = address.last === null ? address.from : now - ranges[address.last]
  const text = address.text.trim()
  return {
    ...placeFilter(selection),
    ...(!address.past && { Open: true }),
    // What came again and again has one row, its newest; of what is open there is one anyway.
    ...(foldOf(address) === 'incident' && { Folded: false, ...(address.past && { Newest: true }) }),
    // What has a life of its own: neither entries of the journal nor work orders.
    Kinds: [...(address.kinds.length > 0 ? address.kinds : alarmKinds)],
    ...(address.priorities.length > 0 && { Priorities: [...address.priorities] }),
    ...(address.states.length > 0 && { States: [...address.states] }),
    ...(address.keys.length > 0 && { Keys: [...address.keys] }),
    ...(address.shelved !== null && { Shelved: address.shelved }),
    ...(address.counted === null
      ? { ...(from !== null && { From: from }), ...(address.to !== null && { To: address.to }) }
      : { Counted: countedOf(address, from) }),
    ...(address.here && { Here: true }),
    ...(address.model && { Model: { Family: address.model.family, Model: address.model.model } }),
    ...(text !== '' && { Text: text }),
  }
}

const among = <const T extends string>(text: string | null, known: readonly T[]): readonly T[] => {
  const given = new Set((text ?? '').split(','))
  return known.filter((each) => given.has(each))
}

function moment(text: string | null): number | null {
  const at = text === null || text === '' ? Number.NaN : Number(text)
  return Number.isSafeInteger(at) && at >= 0 && at <= Date.UTC(9999, 11, 31) ? at : null
}

function sortIn(text: string | null): AlarmSort {
  const known = sortKeys.find((each) => text === each || text === `-${each}`)
  return known === undefined ? ownSort : text === known ? known : `-${known}`
}

type OfStatistics = Pick<AlarmAddress, 'counted' | 'days' | 'hour' | 'here' | 'model'>
const inDays = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/
const inHour = /^([0-6])\.(\d|1\d|2[0-3])\.([A-Za-z0-9_+/-]{1,64})$/
const ofModel = /^([^|]{1,64})\|([^|]{0,64})$/

function readCounted(query: URLSearchParams): OfStatistics {
  const counted = countedFigures.find((each) => each === query.get('counted')) ?? null
  const [, from = '', to = ''] = inDays.exec(query.get('days') ?? '') ?? []
  const [, weekday = '', hour = '', zone = ''] = inHour.exec(query.get('hour') ?? '') ?? []
  const [, family = '', model = ''] = ofModel.exec(query.get('model') ?? '') ?? []
  return {
    counted,
    days: counted !== null && from !== '' ? { from, to } : null,
    hour: counted !== null && zone !== '' ? { weekday: Number(weekday), hour: Number(hour), zone } : null,
    here: query.get('here') === 'yes',
    model: family === '' ? null : { family, model },
  }
}

const writtenCounted = ({ counted, days, hour, here, model }: OfStatistics): Readonly<Record<string, string>> => ({
  counted: counted ?? '',
  days: counted && days ? `${days.from}..${days.to}` : '',
  hour: counted && hour ? `${hour.weekday}.${hour.hour}.${hour.zone}` : '',
  here: here ? 'yes' : '',
  model: model ? `${model.family}|${model.model}` : '',
})

const countedOf = ({ counted, days, hour, to }: AlarmAddress, from: number | null): NonNullable<AlarmFilter['Counted']> => ({
  As: counted ?? 'announced',
  ...(from !== null && { From: from }),
  ...(to !== null && { To: to }),
  ...(days && { FromDay: days.from, ToDay: days.to }),
  ...(hour && { Hour: { Weekday: hour.weekday, Hour: hour.hour, TimeZone: hour.zone } }),
})
