import { paths } from '../../paths.ts'
import type { Selection } from '../../plant/equipment.ts'
import { selectionText } from '../../plant/equipment.ts'
import type { AnalysisAddress } from './address.ts'

/** What narrows the list behind a figure further than the page is. */
export interface Behind {
  /** Unix ms; the end is excluded. */
  readonly from?: number
  readonly to?: number
  readonly at?: Selection
  readonly keys?: readonly string[]
  readonly priorities?: readonly string[]
  /** Only what still needs somebody. */
  readonly open?: boolean
  readonly event?: string
}

/** The list behind a figure: what was raised then and there, with the filters of the page. */
export function listBehind(address: AnalysisAddress, selection: Selection, behind: Behind): string {
  const query = new URLSearchParams()
  const set = (name: string, value: string) => value !== '' && query.set(name, value)
  if (!behind.open) set('view', 'all')
  set('at', selectionText(behind.at ?? selection))
  set('kinds', address.kinds.join(','))
  set('priorities', (behind.priorities ?? address.priorities).join(','))
  set('keys', (behind.keys ?? address.keys).join(','))
  if (behind.from !== undefined) set('from', String(behind.from))
  if (behind.to !== undefined) set('to', String(behind.to))
  set('event', behind.event ?? '')
  return `${paths.alarms}?${query}`
}

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
