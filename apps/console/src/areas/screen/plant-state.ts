import type { LineState, Topology } from '@linewarden/contract'
import type { AlarmKind } from '@linewarden/equipment'
import type { BusKey, KnownPosition, Liveness, PlantGraph } from '@linewarden/rules/screen'
import { liveness, plantGraph, powers, supplyEvidence } from '@linewarden/rules/screen'
import type { LineRef } from '../../plant/equipment.ts'
import type { LineCondition } from '../../plant/line-condition.ts'
import { conditionOf, severityOf } from '../../plant/line-condition.ts'
import type { LiveStore } from '../../plant/live-store.ts'
import { isOld } from '../../plant/old-values.ts'

type Source = Topology['Sources'][number]

/** How one line stands. */
export interface LinePresent {
  readonly condition: LineCondition
  /** Of the worst event that is open on it. */
  readonly severity: AlarmKind | null
  /** Its values are older than they may be. */
  readonly isOld: boolean
}

/** How a plant stands, as far as its equipment reported it. */
export interface PlantState {
  readonly lines: ReadonlyMap<number, LinePresent>
  readonly of: ReadonlyMap<BusKey, Liveness>
  readonly disagrees: ReadonlySet<BusKey>
  /** Lines that are not as they should be. */
  readonly abnormal: ReadonlySet<number>
}

/** What feeds what, of the lines of a project and what people entered. */
export const graphOf = (
  lines: readonly LineRef[],
  { Sources, Ties }: { readonly Sources: readonly Pick<Source, 'SourceID' | 'LineIDs'>[]; readonly Ties: Topology['Ties'] },
): PlantGraph =>
  plantGraph(
    lines.map(({ line, family }) => ({
      ...{ lineId: line.LineID, feederId: line.FedBy },
      hasSwitch: family?.states.some(({ key }) => key === 'position') ?? false,
    })),
    Sources.map(({ SourceID, LineIDs }) => ({ sourceId: SourceID, lines: LineIDs })),
    Ties.map(({ LineID, BusA, BusB }) => ({ lineId: LineID, busA: BusA as BusKey, busB: BusB as BusKey })),
  )

/** How it stands now. What is away or old is not known, whatever it reported last. */
export function stateOf(graph: PlantGraph, lines: readonly LineRef[], live: LiveStore, now: number): PlantState {
  const found = new Map<number, LinePresent>()
  const positions = new Map<number, KnownPosition>()
  const voltages = new Map<number, number>()
  for (const { line, device, family } of lines) {
    const state = live.line(line.LineID)
    const condition = conditionOf(state, (live.deviceLink(device.ControllerID) ?? device.Link).Link, family)
    const old = isOld(state, family, now)
    found.set(line.LineID, { condition, severity: severityOf(state), isOld: old })
    positions.set(line.LineID, knownPosition(condition))
    const volts = condition === 'offline' || old ? null : highestVoltage(state, family)
    if (volts !== null) voltages.set(line.LineID, volts)
  }
  const evidence = supplyEvidence(graph, (id) => voltages.get(id) ?? null)
  const electrical = liveness(graph, (id) => positions.get(id) ?? 'unknown', evidence)
  const abnormal = [...found].filter(([, each]) => isAbnormal(each)).map(([id]) => id)
  return { lines: found, ...electrical, abnormal: new Set(abnormal) }
}

const isAbnormal = ({ condition, severity }: LinePresent): boolean =>
  severity !== null || condition === 'tripped' || condition === 'unknown' || condition === 'offline'

function knownPosition(condition: LineCondition): KnownPosition {
  // One that was told to move stands where it was last reported until it reports otherwise.
  if (condition === 'closed' || condition === 'opening') return 'closed'
  return condition === 'open' || condition === 'tripped' || condition === 'closing' ? 'open' : 'unknown'
}

function highestVoltage(state: LineState | undefined, family: LineRef['family']): number | null {
  let highest: number | null = null
  family?.points.forEach(({ quantity }, at) => {
    const value = quantity === 'voltage' ? state?.Values[at] : null
    if (value != null) highest = Math.max(highest ?? 0, value)
  })
  return highest
}

/** What each line draws now: nothing that is old or away. */
export function drawnPower(graph: PlantGraph, lines: readonly LineRef[], present: PlantState, live: LiveStore) {
  const own = new Map(lines.map((each) => [each.line.LineID, ownKw(each, present, live)]))
  return powers(graph, (id) => own.get(id) ?? null)
}

function ownKw({ line, family }: LineRef, present: PlantState, live: LiveStore): number | null {
  const { condition, isOld: old } = present.lines.get(line.LineID) ?? { condition: 'offline', isOld: true }
  return condition === 'offline' || old ? null : readingOf(live.line(line.LineID), family, 'power.total')
}

/** One value of a line by its point. */
export function readingOf(state: LineState | undefined, family: LineRef['family'], key: string): number | null {
  const at = family?.points.findIndex((point) => point.key === key) ?? -1
  return at < 0 ? null : (state?.Values[at] ?? null)
}

/** The largest current of its phases. */
export function currentOf(state: LineState | undefined, family: LineRef['family']): number | null {
  const values = ['current.a', 'current.b', 'current.c'].flatMap((key) => readingOf(state, family, key) ?? [])
  return values.length === 0 ? null : Math.max(...values)
}
