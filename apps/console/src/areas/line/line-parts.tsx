import type { LineDetails } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { Suspense } from 'react'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import type { PlacedLine } from '../../plant/equipment.ts'
import { useLine } from '../../plant/live-store.ts'
import { Loading } from '../../ui/body-state.tsx'
import { LineEvents } from '../alarm/line-events.tsx'
import { Autopsy } from '../control/autopsy.tsx'
import { Feed } from '../control/feed.tsx'
import { Ledger } from '../control/ledger.tsx'
import { Permit } from '../control/permit.tsx'
import { Reclosing } from '../control/reclosing.tsx'
import { SelfTests } from '../control/self-tests.tsx'
import { Tags } from '../control/tags.tsx'
import { ArcRecords } from '../equipment/arc-records.tsx'
import { DetectorPermits } from '../equipment/detector-permits.tsx'
import { DeviceToken } from '../equipment/device-token.tsx'
import type { DrawerTab } from './drawer-tab.ts'
import { isOperable, isTagged } from './drawer-tab.ts'
import { Limits } from './limits.tsx'
import { Points } from './points.tsx'

const LineChart = lazyPart(async () => (await import('./line-chart.tsx')).LineChart)

/** What one tab of a line's drawer shows; which parts there are, the family says. */
export function LineParts({
  tab,
  placed,
  family,
  settings,
  current,
}: {
  tab: DrawerTab
  placed: PlacedLine
  family: Family
  settings: LineDetails['Settings']
  current: boolean
}) {
  const state = useLine(placed.line.LineID)
  const operable = isOperable(family)
  switch (tab) {
    case 'live':
      return (
        <>
          {operable ? <Permit placed={placed} /> : family.actions.length > 0 && <DetectorPermits placed={placed} />}
          <Suspense fallback={<Loading />}>
            <LineChart placed={placed} family={family} settings={settings} />
          </Suspense>
          <Limits family={family} state={state} settings={settings} current={current} />
          <Points family={family} state={state} current={current} />
          {!isTagged(family) && <Tags placed={placed} only="hanging" />}
          {family.calls.includes('GET {token}') && <DeviceToken placed={placed} />}
        </>
      )
    case 'commands':
      return (
        <>
          <Ledger placed={placed} />
          {family.actions.some(({ measures }) => measures !== undefined) && <SelfTests placed={placed} />}
          {operable && <Reclosing placed={placed} settings={settings} />}
        </>
      )
    case 'tags':
      return <Tags placed={placed} only={null} />
    case 'trips':
      return (
        <>
          <Autopsy placed={placed} />
          <Feed placed={placed} />
        </>
      )
    case 'events':
      return (
        <>
          {family.calls.includes('GET /arc/record') && <ArcRecords placed={placed} />}
          <LineEvents lineId={placed.line.LineID} />
        </>
      )
  }
}
