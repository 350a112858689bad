import type { Selection } from './equipment.ts'

interface PlaceFilter {
  readonly CityID?: number
  readonly HouseID?: number
  readonly DeviceID?: number
  readonly ControllerID?: string
  readonly LineID?: number
}

/** What the tree has selected, as the filters of lists name it. */
export function placeFilter(selection: Selection): PlaceFilter {
  switch (selection.kind) {
    case 'all':
      return {}
    case 'group':
      return { CityID: selection.id }
    case 'house':
      return { HouseID: selection.id }
    case 'gateway':
      return { DeviceID: selection.id }
    case 'device':
      return { ControllerID: selection.id }
    case 'line':
      return { LineID: selection.id }
  }
}
