import type { Analysis } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import { paths } from '../../paths.ts'
import type { Selection } from '../../plant/equipment.ts'
import { selectionText } from '../../plant/equipment.ts'
import type { AlarmAddress } from '../alarm/list/address.ts'
import { readAddress, writeAddress } from '../alarm/list/address.ts'
import type { AnalysisAddress } from './address.ts'
import { dayNumber, dayText } from './address.ts'

type Figure = NonNullable<AlarmAddress['counted']>

/** What narrows the list behind a figure further than the page is. */
export interface Behind {
  /** What the figure counts; null: no figure, only what is there. */
  readonly counted: Figure | null
  /** When it was counted: in Unix ms, the end excluded, or on days of each project's own clock. */
  readonly from?: number
  readonly to?: number
  readonly days?: AlarmAddress['days']
  readonly hour?: AlarmAddress['hour']
  readonly at?: Selection
  /** Only of the very place. */
  readonly here?: boolean
  readonly model?: AlarmAddress['model']
  readonly keys?: readonly string[]
  readonly priorities?: readonly Priority[]
  /** Only what still needs somebody. */
  readonly open?: boolean
  readonly event?: string
}

/** The list behind a figure: what was counted then and there, with the filters of the page. */
export function listBehind(address: AnalysisAddress, selection: Selection, behind: Behind): string {
  const list = readAddress(new URLSearchParams())
  const place = new URLSearchParams()
  const at = selectionText(behind.at ?? selection)
  if (at !== '') place.set('at', at)
  const query = writeAddress(
    {
      ...list,
      past: !behind.open,
      kinds: address.kinds,
      priorities: behind.priorities ?? address.priorities,
      keys: behind.keys ?? address.keys,
      ...{ counted: behind.counted, days: behind.days ?? null, hour: behind.hour ?? null },
      ...{ here: behind.here ?? false, model: behind.model ?? null },
      ...{ from: behind.from ?? null, to: behind.to ?? null, event: behind.event ?? null },
    },
    place,
  )
  return `${paths.alarms}?${query}`
}

/** All days of the range, or as many before it. */
export function daysIn({ Days }: Pick<Analysis, 'Days'>, which: 'present' | 'before' = 'present'): NonNullable<Behind['days']> {
  const [from = '', to = ''] = [Days[0]?.Day, Days.at(-1)?.Day]
  if (which === 'present') return { from, to }
  const back = Days.length * dayMs
  return { from: dayText(dayNumber(from) - back), to: dayText(dayNumber(to) - back) }
}

/** A project where nothing narrower is chosen. */
export const projectWithin = (selection: Selection, id: number): Selection =>
  selection.kind === 'all' || selection.kind === 'group' ? { kind: 'house', id } : selection

/** Where something is, as the tree selects it; null: it is not in the plant any more. */
export function selectionOf({
  HouseID,
  DeviceID,
  ControllerID,
  LineID,
}: {
  readonly HouseID: number | null
  readonly DeviceID: number | null
  readonly ControllerID: string | null
  readonly LineID: number | null
}): Selection | null {
  if (HouseID === null) return null
  if (LineID !== null) return { kind: 'line', house: HouseID, id: LineID }
  if (ControllerID !== null) return { kind: 'device', house: HouseID, id: ControllerID }
  if (DeviceID !== null) return { kind: 'gateway', house: HouseID, id: DeviceID }
  return { kind: 'house', id: HouseID }
}
