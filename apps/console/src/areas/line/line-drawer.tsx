import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnected } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { AwayNotice } from '../../plant/away-notice.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { useDeviceLink, useLine, useLink } from '../../plant/live-store.ts'
import { useIsOld } from '../../plant/old-values.ts'
import { Empty } from '../../ui/body-state.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { LineEvents } from '../alarm/line-events.tsx'
import { OverrideOfLine } from '../control/line-override.tsx'
import { useLineTags } from '../control/queries.ts'
import { Tags } from '../control/tags.tsx'
import { isOperable, tabsOf, useDrawerTab } from './drawer-tab.ts'
import { LineFoot } from './line-foot.tsx'
import { LineParts } from './line-parts.tsx'
import { LineSubtitle, LineTitle } from './line-title.tsx'
import { useLineDetails } from './queries.ts'
import './line-drawer.css'

/** Everything about one line: how it stands, a tab for each kind of thing about it, and what can be done, which is always in view. */
export function LineDrawer({ lineRef, onClose }: { lineRef: LineRef; onClose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  const { line, device, gateway, project, family } = lineRef
  const details = useLineDetails(device.ControllerID, line.LineNo)
  const gatewayLink = useLink(gateway.DeviceID) ?? gateway.Link
  const link = useDeviceLink(device.ControllerID) ?? device.Link
  const isOnline = link.Link === 'online'
  const isOld = useIsOld(line.LineID, family)
  // The same rule as in the list behind it: without its equipment, without the server, or after a silence, this is the last known.
  const current = useConnected() && isOnline && !isOld
  const panel = useId()
  const tabs = family ? tabsOf(family) : []
  const [tab, setTab] = useDrawerTab(tabs)
  const counts = { tags: useHangingTags(lineRef), events: useLine(line.LineID)?.Active.length ?? 0 }
  return (
    <Drawer
      label={line.LineName}
      phases={project.Standard === 'IEC' ? 'iec' : undefined}
      onClose={onClose}
      title={<LineTitle lineRef={lineRef} current={current} />}
      subtitle={<LineSubtitle lineRef={lineRef} current={current} />}
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
      foot={<LineFoot lineRef={lineRef} onOrdered={() => setTab('commands')} />}
    >
      {!isOnline && <AwayNotice link={gatewayLink.Link === 'online' ? link : gatewayLink} />}
      {family && isOperable(family) && <OverrideOfLine lineRef={lineRef} />}
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

/** How many tags are in force on the line, as its tab shows. */
const useHangingTags = ({ device, line }: LineRef): number =>
  useLineTags(device.ControllerID, line.LineNo).data?.items.filter(({ RemovedAt }) => RemovedAt === null).length ?? 0
