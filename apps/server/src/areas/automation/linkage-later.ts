import type { MessageKey } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { LaterBar, LineStands, SinceFiring } from '@linewarden/rules/automation'
import { laterBar } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { positionNow } from '../../plant/line-state.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { linkOfDevice } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import type { LaterRun, StoredTripSince } from '../../store/automation/linkage-later.ts'
import { linkedSince, marksOf, movesSince, tripsSince } from '../../store/automation/linkage-later.ts'
import type { LineBefore } from '../../store/automation/linkage-schema.ts'
import { scenesByIds } from '../../store/automation/scene.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { LinesBegun } from '../control/lines-begun.ts'
import { positionsNow } from '../control/lines-begun.ts'
import type { AutomationDeps } from './deps.ts'
import type { Waited } from './firing-trips.ts'
import { createFiringTrips } from './firing-trips.ts'
import { sourceOf } from './linkage-draft.ts'
import { closesOf } from './linkage-loops.ts'

const refusals: Readonly<Record<LaterBar, MessageKey>> = {
  ...{ danger: 'linkage may not close', opened: 'opened meanwhile' },
  ...{ tripFailed: 'linkage trip failed', unknown: 'line position unknown' },
}

/** Until when its closes wait, and whether what it fired for is still known to be so: asked at each turn, and once more at the gate. */
interface Circumstances extends Waited {
  readonly isStillTrue: () => boolean
}

/** What the closes of a delayed action begin from. */
export interface LaterCloses {
  /** Whether all that the firing trips before is verified. */
  readonly areTripsAsMeant: boolean
  readonly begun: LinesBegun
  /** Reads what has become of a line since the firing; answers what stands against closing it, asked at any moment of its turn. */
  readonly standsAgainst: (line: PlantLine) => Promise<() => Refusal | null>
}

/** What is known of lines between the firing of a linkage and its closes after a delay: these are decided when they are due. */
export function createLinkageLater(deps: Pick<AutomationDeps, 'database' | 'plant' | 'ingest' | 'clock'>) {
  const { database, plant, ingest, clock } = deps
  const { areEarlierAsMeant, trippedBy } = createFiringTrips(deps)
  return { linesBefore, laterCloses }

  /** The lines that a linkage closes after a delay, as they stand now; part of the transaction that stores its firing. */
  async function linesBefore(trx: Kysely<Schema>, { actions }: StoredLinkage): Promise<readonly LineBefore[]> {
    const delayed = actions.filter(({ delayS }) => delayS > 0)
    const sceneIds = new Set(delayed.flatMap(({ sceneId }) => sceneId ?? []))
    const scenes = sceneIds.size === 0 ? [] : await scenesByIds(trx, [...sceneIds])
    // Nobody has confirmed what a scene does that is disabled: where it is enabled since, it closes nothing of this firing.
    const enabled = scenes.filter((scene) => scene.enabled)
    const lineIds = [...new Set(closesOf({ actions: delayed }, enabled))]
    if (lineIds.length === 0) return []
    // Where they stand first: what opens while the rest is read is found by it.
    const stand = lineIds.map((lineId) => ({ lineId, ...standsOf(plant.lines.get(lineId)) }))
    const marks = await marksOf(trx, lineIds)
    return stand.map((line) => ({ ...line, ...(marks.get(line.lineId) ?? { fence: 0, event: 0 }) }))
  }

  /** Waits for the trips of the firing, and says from where on its closes of these lines begin. */
  async function laterCloses(
    linkage: StoredLinkage,
    later: LaterRun,
    lineIds: readonly number[],
    { isStillTrue, ...waited }: Circumstances,
  ): Promise<LaterCloses> {
    const areTripsAsMeant = await areEarlierAsMeant(linkage, later, waited)
    const tripped = await trippedBy(later)
    const before = new Map(later.before?.map((line) => [line.lineId, line]))
    const asked = lineIds.map((lineId) => ({ lineId, marks: before.get(lineId) ?? null }))
    const positions = positionsNow(lineIds.flatMap((id) => plant.lines.get(id) ?? []))
    return {
      areTripsAsMeant,
      begun: { before: positions, fences: fencesOf(before, await tripsSince(database.control, later, asked)) },
      async standsAgainst(line) {
        const since = await sinceFiring(line, later, before.get(line.id) ?? null)
        return () => {
          if (!isStillTrue()) return new Refusal('linkage conditions over')
          const areTripsOpen = tripped.every((lineId) => isOpenNow(plant.lines.get(lineId)))
          const [isDanger, isOpenedByOther] = [isInDanger(line), isOpenedByOtherNow(line)]
          const bar = laterBar(since, { line: standsOf(line), isDanger, isOpenedByOther, areTripsOpen })
          return bar && new Refusal(refusals[bar])
        }
      },
    }
  }

  /** What has become of a line since the firing. */
  async function sinceFiring(line: PlantLine, later: LaterRun, before: LineBefore | null): Promise<SinceFiring> {
    // Where it stands first, as above.
    const read = standsOf(line)
    const trips = await tripsSince(database.control, later, [{ lineId: line.id, marks: before }])
    const moves = before ? await movesSince(database.control, line.id, before) : []
    // As it is stored: a restart of this server alone is no outage of the equipment.
    const since = await linkedSince(database.control, line.id)
    return { before, read, trips, moves, wasAway: since === null || since > later.firedAt }
  }

  /** What it reported long ago says nothing of a line that was tripped: it may have been closed since. */
  function isOpenNow(line: PlantLine | undefined): boolean {
    return line !== undefined && positionNow(ingest, line, clock()) === 'open'
  }

  /** What is known of a line now: nothing behind a device that is away, and no position that may have changed unobserved. */
  function standsOf(line: PlantLine | undefined): LineStands {
    const position = line?.states.get('position')
    const isKnown = line && linkOfDevice(line.device).link === 'online' && ingest.hasValidPosition(line)
    if (!isKnown || (position !== 'open' && position !== 'closed')) return unknown
    // As the database keeps it.
    return { position, since: line.positionSince === null ? null : Math.trunc(line.positionSince) }
  }
}

const unknown: LineStands = { position: null, since: null }

/** An alarm of fire, gas, arc or leakage is open on it. */
const isInDanger = (line: PlantLine): boolean =>
  [...line.alarms.values()].some(({ key }) => sourceOf(line, { kind: 'alarm', key })?.isDanger ?? false)

/** By what the breaker says of it: not what was ordered from here. */
const isOpenedByOtherNow = ({ states }: PlantLine): boolean => !['none', 'remote'].includes(states.get('trip.cause') ?? 'none')

/** Behind these a trip is anybody's but the firing's own. */
function fencesOf(before: ReadonlyMap<number, LineBefore>, trips: readonly StoredTripSince[]): ReadonlyMap<number, number> {
  const fences = new Map([...before].map(([lineId, { fence }]) => [lineId, fence]))
  for (const { lineId, isOwn, fence } of trips)
    if (isOwn && fence !== null) fences.set(lineId, Math.max(fence, fences.get(lineId) ?? 0))
  return fences
}
