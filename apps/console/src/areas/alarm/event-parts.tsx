import type { EventRecord } from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { gatewayLive, lineDrawer } from '../../paths.ts'
import { figure } from '../../ui/format.ts'

/** Where it happened: on a line, or on a gateway with all that stands behind it. */
export const placeOf = ({ HouseID, DeviceID, LineID }: EventRecord): string =>
  LineID === null ? gatewayLive(HouseID, DeviceID) : lineDrawer(HouseID, LineID)

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
function valueText({ Value, Point }: EventRecord): string {
  const point = families.flatMap(({ points }) => points).find(({ key }) => key === Point)
  return figure(Value, point?.precision ?? 1)
}
