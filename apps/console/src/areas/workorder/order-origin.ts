import type { EventRecord, Hazard } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { localised } from '../../ui/i18n.ts'
import type { MarkKind } from '../../ui/mark.tsx'
import { drawnKind } from '../../ui/mark.tsx'
import { sourceMarks } from './hazard-marks.tsx'
import { descriptionOf } from './order-target.ts'

/** What an order is made from, as far as its form fills itself in. */
export interface OrderOrigin {
  readonly target: { readonly EventID: string } | { readonly HazardID: number }
  readonly houseId: number
  readonly deviceId: number | null
  readonly lineId: number | null
  readonly where: EventRecord['Where']
  readonly mark: MarkKind
  readonly label: string
  readonly priority: Priority
  readonly description: string
}

export const ofAlarm = (event: EventRecord): OrderOrigin => ({
  target: { EventID: event.EventID },
  ...{ houseId: event.HouseID, deviceId: event.DeviceID, lineId: event.LineID, where: event.Where },
  ...{ mark: drawnKind(event.Kind), label: localised(event.Label), priority: event.Priority },
  description: descriptionOf(event),
})

export const ofHazard = (hazard: Hazard): OrderOrigin => ({
  target: { HazardID: hazard.HazardID },
  ...{ houseId: hazard.HouseID, deviceId: hazard.DeviceID, lineId: hazard.LineID, where: hazard.Where },
  ...{ mark: sourceMarks[hazard.Source], label: localised(hazard.Label), priority: hazard.Level },
  description: [localised(hazard.Label), placeNames(hazard.Where).join(' › ')].join(' · '),
})
