import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/api.ts'
import { useSession } from '../../app/session.ts'
import { said } from '../../texts/i18n.ts'
import { Failed, Loading } from '../../ui/body-state.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { clockTime, figure, span } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ValueCell } from '../../ui/value-cell.tsx'
import { Autopsy } from '../control/autopsy.tsx'
import { DetectorFoot } from '../control/detector-foot.tsx'
import { Ledger } from '../control/ledger.tsx'
import { OperateFoot } from '../control/operate-foot.tsx'
import { Permit } from '../control/permit.tsx'
import { SelfTests } from '../control/self-tests.tsx'
import { Tags } from '../control/tags.tsx'
import type { PlacedLine } from './equipment.ts'
import { Limits } from './limits.tsx'
import { conditionOf, pointSeverity } from './line-condition.ts'
import { useLine, useLink } from './live-store.ts'
import { useLineDetails, useLineEvents } from './queries.ts'
import { StateWord } from './state-word.tsx'
import './line-drawer.css'

const LineChart = lazy(async () => ({ default: (await import('./line-chart.tsx')).LineChart }))

/** Everything about one line: how it stands, the last fifteen minutes, limits, permit, ledger, and the two buttons. */
export function LineDrawer({ placed, onClose }: { placed: PlacedLine; onClose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  const { line, device, gateway, family } = placed
  const details = useLineDetails(device.ControllerID, line.LineNo)
  const state = useLine(line.LineID)
  const user = useSession((session) => session.user)
  const link = useLink(gateway.DeviceID)?.Link
  const now = useNow()
  const operable = family?.actions.some(({ key }) => key === 'trip') === true
  const testable = family?.actions.some(({ measures }) => measures !== undefined) === true
  return (
    <Drawer
      label={line.LineName}
      onClose={onClose}
      title={
        <>
          <h2 title={line.LineName}>{line.LineName}</h2>
          <span role="status" aria-label={t('switchState')}>
            <StateWord condition={conditionOf(state, link, family)} plate />
          </span>
        </>
      }
      subtitle={
        <p className="mute">
          {[
            gateway.GatewayName,
            `${device.Model} ${device.ControllerID}${line.LineNo > 0 ? ` #${line.LineNo}` : ''}`,
            line.RatedCurrentA === null ? null : t('rated', { value: line.RatedCurrentA }),
            operable ? (state?.PositionAt ? t('positionAt', { age: span(now - state.PositionAt) }) : t('positionNever')) : null,
          ]
            .filter((each) => each !== null)
            .join(' · ')}
        </p>
      }
      foot={user && (operable ? <OperateFoot placed={placed} user={user} /> : <DetectorFoot placed={placed} user={user} />)}
    >
      {details.isError ? (
        <Failed message={messageOf(details.error)} retry={() => details.refetch()} />
      ) : !details.data || !family ? (
        <Loading />
      ) : (
        <>
          <Suspense fallback={<Loading />}>
            <LineChart placed={placed} family={family} settings={details.data.Settings} />
          </Suspense>
          {family.settings.length > 0 ? (
            <Limits family={family} state={state} settings={details.data.Settings} />
          ) : (
            <Points placed={placed} />
          )}
          {operable && <Permit placed={placed} />}
          {operable && <Tags placed={placed} />}
          {testable && <SelfTests placed={placed} />}
          {operable && <Autopsy placed={placed} />}
          {family.actions.length > 0 && <Ledger placed={placed} />}
          <Events lineId={line.LineID} />
        </>
      )}
    </Drawer>
  )
}

/** A detector's points and states, from its family. */
function Points({ placed: { line, family } }: { placed: PlacedLine }) {
  const { t } = useTranslation(['monitor', 'app'])
  const state = useLine(line.LineID)
  return (
    <section className="part" aria-label={t('values')}>
      <h3>{t('values')}</h3>
      <dl className="pairs">
        {family?.points.map((point, index) => (
          <div key={point.key}>
            <dt>{said(point.label)}</dt>
            <dd>
              <ValueCell text={figure(state?.Values[index], point.precision)} severity={pointSeverity(state, point.key)} />
              <span className="unit">{point.unit}</span>
            </dd>
          </div>
        ))}
        {family?.states.map(({ key, label, values }) => {
          const value = values.find((each) => each.key === state?.States[key])
          return (
            <div key={key}>
              <dt>{said(label)}</dt>
              <dd>{value ? said(value.label) : '–'}</dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

function Events({ lineId }: { lineId: number }) {
  const { t } = useTranslation(['monitor', 'app'])
  const { data } = useLineEvents(lineId)
  return (
    <section className="part" aria-label={t('events')}>
      <h3>{t('events')}</h3>
      {data?.items.length === 0 && <p className="mute">{t('noEvents')}</p>}
      <ul className="events">
        {data?.items.map((event) => (
          <li key={event.EventID}>
            {event.Kind === 'journal' ? <span className="dot" /> : <Mark kind={event.Kind} />}
            <span>{said(event.Label)}</span>
            <span className="grow" />
            {event.ReturnedAt !== null && <span className="mute">{t('returned')}</span>}
            <span className="mute">{clockTime(event.RaisedAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
