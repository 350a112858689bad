import type { EventRecord } from '@linewarden/contract'
import { getEnergy, listEvents } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useLiveLink } from '../../app/net/live-link.ts'
import { useCall } from '../../app/net/use-call.ts'
import { useSession } from '../../app/session/session.ts'
import { useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { pollMs } from '../../plant/queries.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { useByNow } from '../../ui/use-now.ts'
import { civilDay } from './energy-today.ts'
import { classOf, markOf } from './event-strip.tsx'
import { SupplyPath } from './supply-path.tsx'
import type { Plant } from './use-plant.ts'
import { wallTime } from './wall-clock.ts'

/** What is to be known around a line: how it is supplied, what it used today, and what happened last. */
export function DeviceFacts({ lineRef, plant }: { lineRef: LineRef; plant: Plant | null }) {
  const { t } = useTranslation('screen')
  const { line, family } = lineRef
  const isSeated = useSession(({ seated }) => seated)
  // The view of a link has the energy of projects, and not of lines.
  const maySeeEnergy = useMayOpen(paths.energy) && !isSeated
  const counts = family?.points.some(({ quantity }) => quantity === 'energy') === true
  return (
    <aside className="device-facts">
      {plant?.byId.has(line.LineID) && (
        <>
          <h2>{t('supplyPath')}</h2>
          <SupplyPath plant={plant} lineId={line.LineID} />
        </>
      )}
      {counts && maySeeEnergy && <EnergyOfLine lineRef={lineRef} />}
      <LastEvents lineRef={lineRef} />
    </aside>
  )
}

const quarterMs = 300_000
const barsHeight = 64
const barPx = 15

/** What it used today, hour by hour; an hour of which nothing is known has no bar. */
function EnergyOfLine({ lineRef: { line, project } }: { lineRef: LineRef }) {
  const { t } = useTranslation('screen')
  const today = useByNow((now) => civilDay(now, project.TimeZone))
  const tomorrow = useByNow((now) => civilDay(now, project.TimeZone, 1))
  const query = { LineID: line.LineID, Unit: 'hour', From: today, To: tomorrow, Compare: 'previous' } as const
  const { data } = useCall(getEnergy, { query }, { refetchInterval: quarterMs })
  const hours = data?.Bars.filter(({ Clock }) => Clock !== 'skipped') ?? []
  const most = Math.max(1, ...hours.flatMap(({ Wh }) => Wh ?? []))
  const change = data?.Compared?.Change ?? null
  const total = data?.Total
  return (
    <section className="device-energy" aria-label={t('usedToday')}>
      <h2>
        {t('usedToday')} <span>{t('byHour')}</span>
      </h2>
      <p>
        <b>
          {total?.Wh == null ? '–' : `${total.LackingS > 0 ? '≥ ' : ''}${(total.Wh / 1_000).toFixed(1)}`} <small>kWh</small>
        </b>{' '}
        {change === null ? t('noYesterday') : t('yesterday', { change: `${change > 0 ? '+' : ''}${(100 * change).toFixed(1)}` })}
      </p>
      <svg viewBox={`0 0 ${24 * barPx} ${barsHeight}`} role="img" aria-label={t('byHour')} preserveAspectRatio="none">
        <path className="zero" d={`M0 ${barsHeight}H${24 * barPx}`} />
        {hours.map(({ Start, Wh }, hour) => {
          const height = Wh === null ? 0 : Math.max(2, (barsHeight * Wh) / most)
          return <rect key={Start} x={hour * barPx} y={barsHeight - height} width={barPx - 3} height={height} />
        })}
      </svg>
    </section>
  )
}

const maxEvents = 6

/** Of its device, whether or not they are over. */
function LastEvents({ lineRef: { device, project } }: { lineRef: LineRef }) {
  const { t } = useTranslation('screen')
  const polling = useLiveLink(({ link }) => link !== 'open')
  const body = { ControllerID: device.ControllerID, Size: maxEvents }
  const { data } = useCall(listEvents, { body }, { refetchInterval: polling ? pollMs : 60_000 })
  const events = (data?.items ?? []) as readonly EventRecord[]
  return (
    <section className="device-events" aria-label={t('lately')}>
      <h2>{t('lately')}</h2>
      {data && events.length === 0 && <p className="calm">{t('noEventsOfDevice')}</p>}
      <ul>
        {events.map((event) => (
          <li key={event.EventID} className={event.State === null || event.State === 'normal' ? 'past' : classOf(event)}>
            <Mark kind={markOf(event)} size={20} />
            <b>{localised(event.Label)}</b>
            <span>{wallTime(event.LastRaisedAt, project.TimeZone)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
