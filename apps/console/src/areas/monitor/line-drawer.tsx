import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../app/lazy-part.tsx'
import { useConnected } from '../../app/live-link.ts'
import { useSession } from '../../app/session.ts'
import { Unloaded } from '../../app/unloaded.tsx'
import { said } from '../../texts/i18n.ts'
import { Empty, Loading } from '../../ui/body-state.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { span } from '../../ui/format.ts'
import { Place } from '../../ui/place.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Autopsy } from '../control/autopsy.tsx'
import { DetectorFoot } from '../control/detector-foot.tsx'
import { DetectorPermits } from '../control/detector-permits.tsx'
import { DeviceToken } from '../control/device-token.tsx'
import { Feed } from '../control/feed.tsx'
import { Ledger } from '../control/ledger.tsx'
import { LineCode } from '../control/line-code.tsx'
import { OperateFoot } from '../control/operate-foot.tsx'
import { Permit } from '../control/permit.tsx'
import { Reclosing } from '../control/reclosing.tsx'
import { SelfTests } from '../control/self-tests.tsx'
import { Tags } from '../control/tags.tsx'
import { ArcRecords } from './arc-records.tsx'
import { AwayNotice } from './away-notice.tsx'
import type { PlacedLine } from './equipment.ts'
import { Limits } from './limits.tsx'
import { conditionOf, conditionWord } from './line-condition.ts'
import { LineEvents } from './line-events.tsx'
import { useDeviceLink, useLine, useLink } from './live-store.ts'
import { useIsOld } from './old-values.ts'
import { Points } from './points.tsx'
import { useLineDetails } from './queries.ts'
import { RenameButton } from './rename-button.tsx'
import { StateWord } from './state-word.tsx'
import { TagMark } from './tag-mark.tsx'
import './line-drawer.css'

const LineChart = lazyPart(async () => (await import('./line-chart.tsx')).LineChart)

/**
 * Everything about one line: how it stands, the last fifteen minutes, limits and values, permit, tags, ledger, and what can be done. Which of
 * these there are, its family says.
 */
export function LineDrawer({ placed, onClose }: { placed: PlacedLine; onClose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  const { line, device, gateway, family } = placed
  const details = useLineDetails(device.ControllerID, line.LineNo)
  const state = useLine(line.LineID)
  const user = useSession((session) => session.user)
  const gatewayLink = useLink(gateway.DeviceID) ?? gateway.Link
  const link = useDeviceLink(device.ControllerID) ?? device.Link
  const isOnline = link.Link === 'online'
  const isOld = useIsOld(line.LineID, family)
  // The same rule as in the list behind it: without its equipment, without the server, or after a silence, this is the last known.
  const current = useConnected() && isOnline && !isOld
  const condition = conditionOf(state, link.Link, family)
  const now = useNow()
  const operable = family?.actions.some(({ key }) => key === 'trip') === true
  const testable = family?.actions.some(({ measures }) => measures !== undefined) === true
  return (
    <Drawer
      label={line.LineName}
      phases={placed.project.Standard === 'IEC' ? 'iec' : undefined}
      onClose={onClose}
      title={
        <>
          <h2 title={line.LineName}>{line.LineName}</h2>
          <RenameButton placed={placed} />
          <span role="status" aria-label={operable ? t('switchState') : t('state')}>
            <StateWord
              condition={condition}
              plate
              switched={family?.level !== 'device'}
              word={conditionWord(condition, state, family)}
            />
            {!current && condition !== 'offline' && (
              <i className="quality" title={t('lastKnown')}>
                {t('staleMark')}
              </i>
            )}
          </span>
          <TagMark count={state?.Tags ?? 0} plate />
        </>
      }
      subtitle={
        <div className="under">
          <p className="mute">
            <Place
              names={[
                gateway.GatewayName,
                `${device.Model} ${device.ControllerID}${line.LineNo > 0 ? ` #${line.LineNo}` : ''}`,
                line.RatedCurrentA === null ? null : t('rated', { value: line.RatedCurrentA }),
                family ? said(family.label) : null,
                operable
                  ? state?.PositionAt
                    ? t('positionAt', { age: span(now - state.PositionAt) })
                    : t('positionNever')
                  : null,
              ].filter((each) => each !== null)}
              between=" · "
            />
          </p>
          <LineCode placed={placed} />
        </div>
      }
      foot={
        user &&
        (operable ? (
          <OperateFoot placed={placed} user={user} />
        ) : (
          (family?.actions.length ?? 0) > 0 && <DetectorFoot placed={placed} user={user} />
        ))
      }
    >
      {!isOnline && <AwayNotice link={gatewayLink.Link === 'online' ? link : gatewayLink} />}
      {!family ? (
        <>
          <Empty
            title={t('unknownFamily', { family: device.Family })}
            hint={t('unknownFamilyHint')}
            action={{ label: t('reload'), run: () => location.reload() }}
          />
          <Tags placed={placed} only="hanging" />
          <LineEvents lineId={line.LineID} />
        </>
      ) : !details.data ? (
        <Unloaded query={details} />
      ) : (
        <>
          <Suspense fallback={<Loading />}>
            <LineChart placed={placed} family={family} settings={details.data.Settings} />
          </Suspense>
          <Limits family={family} state={state} settings={details.data.Settings} current={current} />
          <Points family={family} state={state} current={current} />
          {operable ? <Permit placed={placed} /> : family.actions.length > 0 && <DetectorPermits placed={placed} />}
          <Tags placed={placed} only={family.actions.length > 0 || family.settings.length > 0 ? null : 'hanging'} />
          {testable && <SelfTests placed={placed} />}
          {operable && <Reclosing placed={placed} settings={details.data.Settings} />}
          {operable && <Feed placed={placed} />}
          {operable && <Autopsy placed={placed} />}
          {family.calls.includes('GET {token}') && <DeviceToken placed={placed} />}
          {family.calls.includes('GET /arc/record') && <ArcRecords placed={placed} />}
          {family.actions.length > 0 && <Ledger placed={placed} />}
          <LineEvents lineId={line.LineID} />
        </>
      )}
    </Drawer>
  )
}
