import type { EventRecord } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import type { Selection } from '../../plant/equipment.ts'
import { clockMinute, figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'

interface Target {
  readonly DeviceID?: number
  readonly ControllerID?: string
  readonly LineNo?: number
}

/** A place as the form's choice writes it, `gateway/device/line`, as the call names it; empty: the project as a whole. */
export function targetOf(place: string): Target {
  const [gateway, device, line] = place.split('/')
  if (!gateway) return {}
  return { DeviceID: Number(gateway), ...(device && line && { ControllerID: device, LineNo: Number(line) }) }
}

/** What the tree has selected, as far as a new order can be of it. */
export function placeChosen(selection: Selection): { readonly house: string; readonly place: string } {
  switch (selection.kind) {
    case 'house':
      return { house: String(selection.id), place: '' }
    case 'gateway':
      return { house: String(selection.house), place: String(selection.id) }
    case 'line':
    case 'device':
      return { house: String(selection.house), place: '' }
    default:
      return { house: '', place: '' }
  }
}

/** What an alarm says, as the first words of its order. */
export function descriptionOf(event: Pick<EventRecord, 'Label' | 'Where' | 'Value' | 'Limit' | 'Unit' | 'LastRaisedAt'>): string {
  const { Label, Where, Value, Limit, Unit, LastRaisedAt } = event
  const value = Value === null ? '' : `${figure(Value, 1)}${Limit === null ? '' : ` / ${figure(Limit, 1)}`} ${Unit}`.trim()
  return [localised(Label), placeNames(Where).join(' › '), value, clockMinute(LastRaisedAt)]
    .filter((part) => part !== '')
    .join(' · ')
}
