import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnected } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useSession } from '../../app/session/session.ts'
import { AwayNotice } from '../../plant/away-notice.tsx'
import { ConfirmedAge } from '../../plant/confirmed-age.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { conditionOf, conditionWord } from '../../plant/line-condition.ts'
import { useDeviceLink, useLine, useLink } from '../../plant/live-store.ts'
import { useIsOld } from '../../plant/old-values.ts'
import { positionSince } from '../../plant/position-since.ts'
import { StateWord } from '../../plant/state-word.tsx'
import { TagMark } from '../../plant/tag-mark.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { said } from '../../ui/i18n.ts'
import { Place } from '../../ui/place.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { LineEvents } from '../alarm/line-events.tsx'
import { OperateFoot } from '../control/operate-foot.tsx'
import { useLineTags } from '../control/queries.ts'
import { Tags } from '../control/tags.tsx'
import { DetectorFoot } from '../equipment/detector-foot.tsx'
import { isOperable, tabsOf, useDrawerTab } from './drawer-tab.ts'
import { LineCode } from './line-code.tsx'
import { LineMenu } from './line-menu.tsx'
import { LineParts } from './line-parts.tsx'
import { useLineDetails } from './queries.ts'
import { RenameButton } from './rename-button.tsx'
import './line-drawer.css'

/** Everything about one line: how it stands, a tab for each kind of thing about it, and what can be done, which is always in view. */
export function LineDrawer({ lineRef, onClose }: { lineRef: LineRef; onClose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  const { line, device, gateway, family } = lineRef
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
  const operable = isOperable(family)
  const panel = useId()
  const tabs = family ? tabsOf(family) : []
  const [tab, setTab] = useDrawerTab(tabs)
  const counts = { tags: useHangingTags(lineRef), events: state?.Active.length ?? 0 }
  const onOrdered = () => setTab('commands')
  return (
    <Drawer
      label={line.LineName}
      phases={lineRef.project.Standard === 'IEC' ? 'iec' : undefined}
      onClose={onClose}
      title={
        <>
          <h2 title={line.LineName}>{line.LineName}</h2>
          <RenameButton lineRef={lineRef} />
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
                positionSince(state, condition, { named: true }),
              ].filter((each) => each !== null)}
              between=" · "
            />{' '}
            ·{' '}
            <span className="confirmed">
              <ConfirmedAge state={state} current={current} />
            </span>
          </p>
          <LineMenu lineRef={lineRef} />
          <LineCode lineRef={lineRef} />
        </div>
      }
      {...(tabs.length > 0 && {
        panel: { id: panel, tab },
        tabs: (
          <Tabs
            label={t('drawerTabs')}
            tabs={tabs.map((key) => ({
              key,
              label: t(`tabs.${key}`),
              count: key === 'tags' || key === 'events' ? counts[key] : 0,
            }))}
            chosen={tab}
            panel={panel}
            onChoose={setTab}
          />
        ),
      })}
      foot={
        user &&
        (operable ? (
          <OperateFoot lineRef={lineRef} user={user} onOrdered={onOrdered} />
        ) : (
          (family?.actions.length ?? 0) > 0 && <DetectorFoot lineRef={lineRef} user={user} onOrdered={onOrdered} />
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
          <Tags lineRef={lineRef} only="hanging" />
          <LineEvents lineId={line.LineID} />
        </>
      ) : !details.data ? (
        <Unloaded query={details} />
      ) : (
        <LineParts tab={tab} lineRef={lineRef} family={family} settings={details.data.Settings} current={current} />
      )}
    </Drawer>
  )
}

/** How many tags hold the line, as its tab tells. */
const useHangingTags = ({ device, line }: LineRef): number =>
  useLineTags(device.ControllerID, line.LineNo).data?.items.filter(({ RemovedAt }) => RemovedAt === null).length ?? 0
