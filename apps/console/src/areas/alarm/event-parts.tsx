import type { EventRecord } from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { gatewayLive, lineDrawer, orderDetails, projectLive } from '../../paths.ts'
import { figure } from '../../ui/format.ts'

/** Where it happened: on a line, on a gateway with all that stands behind it, or in a project as a whole; of a notice, its order. */
export function placeOf({ HouseID, DeviceID, LineID, OrderID }: EventRecord): string {
  if (OrderID !== undefined) return orderDetails(OrderID)
  if (LineID !== null) return lineDrawer(HouseID, LineID)
  return DeviceID === null ? projectLive(HouseID) : gatewayLive(HouseID, DeviceID)
}

/** The value that raised it, with its limit; nothing where there was none. */
export function EventValue({ event }: { event: EventRecord }) {
  const { t } = useTranslation('monitor')
  if (event.Value === null) return null
  return (
    <span>
      <b>
        {valueText(event)} {event.Unit}
      </b>{' '}
      {event.Limit !== null && (
        <span className="mute">{t('limitIs', { value: `${Number(event.Limit.toFixed(1))} ${event.Unit}` })}</span>
      )}
    </span>
  )
}

/** With the precision of its point, whichever family has it. */
export function valueText({ Value, Point }: EventRecord): string {
  const point = families.flatMap(({ points }) => points).find(({ key }) => key === Point)
  return figure(Value, point?.precision ?? 1)
}
