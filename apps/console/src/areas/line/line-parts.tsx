import type { LineDetails } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { Suspense } from 'react'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { useLine } from '../../plant/live-store.ts'
import { Loading } from '../../ui/body-state.tsx'
import { LineEvents } from '../alarm/line-events.tsx'
import { Ledger } from '../control/ledger.tsx'
import { Permit } from '../control/permit.tsx'
import { Reclosing } from '../control/reclosing.tsx'
import { SelfTests } from '../control/self-tests.tsx'
import { Tags } from '../control/tags.tsx'
import { TripAnalysisPart } from '../control/trip-analysis.tsx'
import { UpstreamLines } from '../control/upstream-lines.tsx'
import { ArcRecords } from '../equipment/arc-records.tsx'
import { DetectorPermits } from '../equipment/detector-permits.tsx'
import { DeviceToken } from '../equipment/device-token.tsx'
import type { DrawerTab } from './drawer-tab.ts'
import { isOperable, isTagged } from './drawer-tab.ts'
import { Limits } from './limits.tsx'
import { Points } from './points.tsx'

const SupplyPath = lazyPart(async () => (await import('../screen/supply-path-part.tsx')).SupplyPathPart)

const LineChart = lazyPart(async () => (await import('./line-chart.tsx')).LineChart)

/** What one tab of a line's drawer shows; which parts there are, the family says. */
export function LineParts({
  tab,
  lineRef,
  family,
  settings,
  current,
}: {
  tab: DrawerTab
  lineRef: LineRef
  family: Family
  settings: LineDetails['Settings']
  current: boolean
}) {
  const state = useLine(lineRef.line.LineID)
  const operable = isOperable(family)
  switch (tab) {
    case 'live':
      return (
        <>
          {operable ? <Permit lineRef={lineRef} /> : family.actions.length > 0 && <DetectorPermits lineRef={lineRef} />}
          <Suspense fallback={<Loading />}>
            <LineChart lineRef={lineRef} family={family} settings={settings} />
          </Suspense>
          <Limits family={family} state={state} settings={settings} current={current} />
          <Points family={family} state={state} current={current} />
          {family.level === 'line' && (
            <Suspense>
              <SupplyPath lineRef={lineRef} />
            </Suspense>
          )}
          {!isTagged(family) && <Tags lineRef={lineRef} only="hanging" />}
          {family.calls.includes('GET {token}') && <DeviceToken lineRef={lineRef} />}
        </>
      )
    case 'commands':
      return (
        <>
          <Ledger lineRef={lineRef} />
          {family.actions.some(({ measures }) => measures !== undefined) && <SelfTests lineRef={lineRef} />}
          {operable && <Reclosing lineRef={lineRef} settings={settings} />}
        </>
      )
    case 'tags':
      return <Tags lineRef={lineRef} only={null} />
    case 'trips':
      return (
        <>
          <TripAnalysisPart lineRef={lineRef} />
          <Suspense>
            <SupplyPath lineRef={lineRef} />
          </Suspense>
          <UpstreamLines lineRef={lineRef} />
        </>
      )
    case 'events':
      return (
        <>
          {family.calls.includes('GET /arc/record') && <ArcRecords lineRef={lineRef} />}
          <LineEvents lineId={lineRef.line.LineID} />
        </>
      )
  }
}
