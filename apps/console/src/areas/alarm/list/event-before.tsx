import type { EventRecord } from '@linewarden/contract'
import { listEvents } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { paths } from '../../../paths.ts'
import { selectionText } from '../../../plant/equipment.ts'
import { dayTime } from '../../../ui/format.ts'
import type { AlarmFilter } from './address.ts'
import { readAddress, writeAddress } from './address.ts'
import { Lasting, ValueAgainstLimit } from './event-cells.tsx'
import { StateMark } from './state-mark.tsx'

const shown = 5

/** The same alarm of the same place, as often as it was before. */
export function EventBefore({ event }: { event: EventRecord }) {
  const { t } = useTranslation('alarmList')
  const [query] = useSearchParams()
  const same: AlarmFilter = { Keys: [event.Key], ...placeOf(event) }
  const before = useCall(listEvents, { body: { ...same, Sort: '-RaisedAt', Size: shown + 1 } })
  const items = (before.data?.items ?? []).filter(({ EventID }) => EventID !== event.EventID).slice(0, shown)
  const address = readAddress(new URLSearchParams())
  const opening = (EventID: string) => `?${writeAddress({ ...readAddress(query), event: EventID }, query)}`
  const all = writeAddress(
    { ...address, past: true, keys: [event.Key], sort: '-RaisedAt', fold: 'none' },
    new URLSearchParams({ at: treeAt(event) }),
  )
  return (
    <section className="part" aria-label={t('before')}>
      <h3>
        {t('before')}
        {before.data && before.data.total > 1 && (
          <Link className="text-link" to={`${paths.alarms}?${all}`}>
            {t('beforeAll')} {before.data.total}
          </Link>
        )}
      </h3>
      <Unloaded query={before} />
      {before.data && items.length === 0 && <p className="mute">{t('beforeNone')}</p>}
      <ul className="events-before">
        {items.map((each) => (
          <li key={each.EventID}>
            <Link className="text-link" to={opening(each.EventID)}>
              {dayTime(each.RaisedAt)}
            </Link>
            <StateMark event={each} />
            <span className="end">
              <ValueAgainstLimit event={each} />
            </span>
            <span className="end mute">
              <Lasting event={each} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The narrowest place that the event names. */
function placeOf({ HouseID, DeviceID, LineID, ControllerID }: EventRecord): AlarmFilter {
  if (LineID !== null) return { LineID }
  if (ControllerID !== null) return { ControllerID }
  return DeviceID === null ? { HouseID } : { DeviceID }
}

function treeAt({ HouseID: house, DeviceID, LineID, ControllerID }: EventRecord): string {
  if (LineID !== null) return selectionText({ kind: 'line', house, id: LineID })
  if (ControllerID !== null) return selectionText({ kind: 'device', house, id: ControllerID })
  return selectionText(DeviceID === null ? { kind: 'house', id: house } : { kind: 'gateway', house, id: DeviceID })
}
