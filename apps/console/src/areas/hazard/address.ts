import type { analyseAlarms, Request } from '@linewarden/contract'
import type { AlarmKind, Priority } from '@linewarden/equipment'
import { alarmKinds, dayMs, priorities } from '@linewarden/equipment'
import type { Selection } from '../../plant/equipment.ts'
import { placeFilter } from '../../plant/place-filter.ts'
import { dayOf } from '../../ui/format.ts'

export type Asked = Request<typeof analyseAlarms>['body']

/** Days of one press, today the last of them. */
export const lasts = ['7', '30', '90', '365'] as const
export type Last = (typeof lasts)[number]
const ownLast: Last = '30'

export const frequentBy = ['Places', 'Lines', 'Keys', 'Causes', 'Projects', 'Models'] as const
export type FrequentBy = (typeof frequentBy)[number]

/** What the address says, but for the place, which is the tree's. Kinds, priorities and keys are called as in that of the alarm list. */
export interface AnalysisAddress {
  readonly last: Last
  /** Days as they are written; both, or null: `last` decides. */
  readonly range: { readonly from: string; readonly to: string } | null
  readonly compare: boolean
  readonly kinds: readonly AlarmKind[]
  readonly priorities: readonly Priority[]
  readonly keys: readonly string[]
  readonly by: FrequentBy
}

const maxDays = 400
const key = /^[A-Za-z0-9.]{1,64}$/

/** Reads an address; what of it cannot be read is as if it were not there. */
export function readAddress(query: URLSearchParams): AnalysisAddress {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  const days = (dayNumber(to) - dayNumber(from)) / dayMs
  return {
    last: lasts.find((each) => each === query.get('last')) ?? ownLast,
    range: days >= 0 && days < maxDays ? { from, to } : null,
    compare: query.get('compare') !== 'no',
    kinds: among(query.get('kinds'), alarmKinds),
    priorities: among(query.get('priorities'), priorities),
    keys: (query.get('keys') ?? '')
      .split(',')
      .filter((each) => key.test(each))
      .slice(0, 50),
    by: frequentBy.find((each) => each === query.get('by')) ?? frequentBy[0],
  }
}

/** The days that are meant; `now` in Unix ms. */
export function daysOf({ range, last }: AnalysisAddress, now: number): { readonly from: string; readonly to: string } {
  if (range) return range
  const today = dayOf(new Date(now))
  return { from: dayText(dayNumber(today) - (Number(last) - 1) * dayMs), to: today }
}

/** The range when one end is set by hand: what was typed stands, and the other end follows where both cannot. */
export function edited({ from, to }: { readonly from: string; readonly to: string }, edge: 'from' | 'to', day: string) {
  const [first, last] = edge === 'from' ? [dayNumber(day), dayNumber(to)] : [dayNumber(from), dayNumber(day)]
  if (edge === 'from') return { from: day, to: dayText(Math.min(Math.max(first, last), first + (maxDays - 1) * dayMs)) }
  return { from: dayText(Math.max(Math.min(first, last), last - (maxDays - 1) * dayMs)), to: day }
}

/** What is asked of the server. */
export const askedOf = (address: AnalysisAddress, selection: Selection, now: number): Asked => {
  const { from, to } = daysOf(address, now)
  return {
    FromDay: from,
    ToDay: to,
    Compare: address.compare,
    ...placeFilter(selection),
    ...(address.kinds.length > 0 && { Kinds: [...address.kinds] }),
    ...(address.priorities.length > 0 && { Priorities: [...address.priorities] }),
    ...(address.keys.length > 0 && { Keys: [...address.keys] }),
  }
}

export const isFiltered = ({ kinds, priorities, keys }: AnalysisAddress): boolean =>
  kinds.length + priorities.length + keys.length > 0

const written = /^\d{4}-\d{2}-\d{2}$/

/** Unix ms of the day's beginning in UTC; NaN for what is no day. */
export function dayNumber(text: string): number {
  const at = written.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return dayText(at) === text ? at : Number.NaN
}

export const dayText = (at: number): string => (Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 10))

const among = <const T extends string>(text: string | null, known: readonly T[]): readonly T[] => {
  const given = new Set((text ?? '').split(','))
  return known.filter((each) => given.has(each))
}
