import type { HistorySeries, Line, LineState } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import { familyOf, hourMs } from '@linewarden/equipment'
import { byCountName } from '@linewarden/rules/alarm'
import { useEffect, useState } from 'react'
import type { TimeRange } from '../areas/history/address.ts'
import { HistoryChart } from '../areas/history/history-chart.tsx'
import { Legend } from '../areas/history/legend.tsx'
import { panelsOf } from '../areas/history/panels.ts'
import type { StripFilter } from '../areas/monitor/summary-strip.tsx'
import { SummaryStrip } from '../areas/monitor/summary-strip.tsx'
import type { LineRef } from '../plant/equipment.ts'
import { linesOfProject } from '../plant/equipment.ts'
import { live } from '../plant/live-store.ts'
import '../areas/history/history-page.css'

const positions = ['closed', 'closed', 'open', null] as const

const lineNo = (LineNo: number): Line => ({
  LineID: LineNo,
  LineNo,
  LineName: `线路 ${LineNo}`,
  RatedCurrentA: 63,
  LeakageTripMa: 300,
  FedBy: null,
  Settings: {},
})

const deviceLink = { ControllerID: 'C-1', Link: 'online', Since: 0, Reason: null } as const

/** Four lines of one breaker, two of them closed, one open, one of which nothing is known. */
const lines: readonly LineRef[] = linesOfProject({
  HouseID: 1,
  Name: 'Gallery',
  TimeZone: 'Asia/Shanghai',
  Simulated: false,
  Standard: 'GB',
  Counts: { Gateways: 1, Away: 0, Lines: positions.length, Detectors: 0, ...byCountName(() => 0), Alarm: 1 },
  Devices: [
    {
      DeviceID: 1,
      Number: 'GW-1',
      GatewayName: 'GW-1',
      Link: { DeviceID: 1, Link: 'online', Since: 0, Reason: null },
      Devices: [
        {
          ControllerID: 'C-1',
          Name: 'C-1',
          Family: 'breaker3p',
          Model: '3PN',
          Link: deviceLink,
          Lines: positions.map((_, index) => lineNo(index + 1)),
        },
      ],
    },
  ],
})

const stateOf = (index: number): LineState => ({
  LineID: index + 1,
  At: positions[index] ? Date.UTC(2026, 0, 15) : null,
  ReceivedAt: null,
  Quality: 'good',
  Values: [],
  States: { position: positions[index] ?? null },
  PositionAt: null,
  PositionSince: null,
  Active: index === 1 ? [{ EventID: '1', Key: 'leakage.alarm', Kind: 'alarm', Priority: 'high', Point: null }] : [],
  Tags: 0,
  Pending: null,
})

/** How many stand how: with something abnormal, as much of it as is known while a project is missing, and with nothing at all. */
export function Strips() {
  const [filter, setFilter] = useState<StripFilter | null>(null)
  useEffect(() => {
    live.load(
      positions.map((_, index) => stateOf(index)),
      live.mark(),
    )
    live.loadLinks([{ DeviceID: 1, Link: 'online', Since: 0, Reason: null }, deviceLink], live.mark())
  }, [])
  return (
    <>
      <h2>Stat strip</h2>
      <SummaryStrip lines={lines} upstream={new Map()} isWhole filter={filter} onFilter={setFilter} />
      <SummaryStrip lines={lines} upstream={new Map()} isWhole={false} filter={null} onFilter={() => {}} />
      <SummaryStrip lines={[]} upstream={new Map()} isWhole filter={null} onFilter={() => {}} />
    </>
  )
}

const start = Date.UTC(2026, 0, 15)
const gap = [start + 9 * hourMs, start + 11 * hourMs] as const
const zone = zoneClock('Asia/Shanghai')

/** A day in steps of ten minutes; two hours of it are missing. */
function seriesOf(key: string, phase: number): HistorySeries {
  const At = Array.from({ length: 144 }, (_, index) => start + (index * hourMs) / 6)
  const about = (middle: number) =>
    At.map((at) => (at >= gap[0] && at < gap[1] ? null : middle + 20 * Math.sin(at / hourMs + phase)))
  return {
    LineID: 1,
    Point: key,
    Level: 'hour',
    BucketMs: hourMs / 6,
    At,
    Value: about(40),
    Min: about(30),
    Max: about(50),
    Gaps: [[...gap]],
    Late: [],
    ClockOff: [],
  }
}

/** A picture with bands, a gap and a limit; it moves and zooms as on its page. */
export function Charts() {
  const [range, setRange] = useState<TimeRange>({ from: start, to: start + 24 * hourMs })
  const [lineRef] = lines
  const points = familyOf('breaker3p')?.points.filter(({ quantity }) => quantity === 'current') ?? []
  if (!lineRef) return null
  const chosen = points.map((point) => ({ lineRef, point }))
  const panels = panelsOf(
    chosen,
    points.map(({ key }, index) => seriesOf(key, index * 2)),
    [],
    new Map(),
  )
  return (
    <>
      <h2>Chart</h2>
      <div className="history">
        <Legend panels={panels} events={false} compare={false} />
        <HistoryChart panels={panels} events={[]} zone={zone} range={range} previousMs={24 * hourMs} onRange={setRange} />
      </div>
    </>
  )
}
