import { stalePeriods } from '@linewarden/rules/alarm'
import type { BusKey, KnownPosition, PlantGraph } from '@linewarden/rules/screen'
import { energisedV, liveness, plantGraph, supplyEvidence } from '@linewarden/rules/screen'
import type { DiagramState } from '@linewarden/rules/warning'
import { diagramDisagrees, foldDiagram, newDiagramState } from '@linewarden/rules/warning'
import { Loop } from '../../lib/every.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { linkOfDevice, reportingPeriodOf } from '../../plant/plant.ts'
import type { TopologyContent } from '../../store/screen/schema.ts'
import { allTopologies } from '../../store/screen/topology.ts'
import type { FindingBook } from './finding-book.ts'
import { findingDraft, placeOfLine, returnDraft } from './finding-draft.ts'
import type { NightlyDeps } from './nightly.ts'

const everyMs = 10_000

/** Where nobody entered anything all hangs on one grid. */
const untold: Pick<TopologyContent, 'Sources' | 'Ties'> = {
  Sources: [{ SourceID: 1, Kind: 'grid', Name: '', Transformer: null, LineIDs: [] }],
  Ties: [],
}

/** A bus on which something was found to disagree, and the line whose event says so. */
interface Found {
  readonly state: DiagramState
  line: PlantLine | null
}

/** Looks whether what is measured agrees with the single-line diagrams (图实不符): one event a bus, on the first line that measures it. */
export class DiagramDetectors {
  readonly #deps: NightlyDeps
  readonly #book: FindingBook
  readonly #found = new Map<PlantProject, Map<BusKey, Found>>()
  readonly #looking: Loop

  constructor(deps: NightlyDeps, book: FindingBook) {
    this.#deps = deps
    this.#book = book
    this.#looking = new Loop(everyMs, () => this.#look(), {
      log: deps.log,
      failed: 'the single-line diagrams could not be compared with what is measured; it is tried again',
      level: 'warn',
      spaced: true,
      unref: true,
    })
  }

  start(): void {
    this.#looking.start()
  }

  /** Runs by itself every ten seconds. */
  readonly look = (): Promise<void> => this.#looking.tick()

  close(): Promise<void> {
    return this.#looking.close()
  }

  async #look(): Promise<void> {
    const { plant, database, clock } = this.#deps
    const now = clock()
    const entered = new Map((await allTopologies(database.general)).map((row) => [row.project_id, row.content]))
    const byProject = Map.groupBy(plant.lines.values(), ({ device }) => device.gateway.project)
    for (const [project, lines] of byProject) this.#lookAt(project, lines, entered.get(project.id) ?? untold, now)
    for (const project of this.#found.keys()) if (!byProject.has(project)) this.#found.delete(project)
  }

  #lookAt(
    project: PlantProject,
    all: readonly PlantLine[],
    topology: Pick<TopologyContent, 'Sources' | 'Ties'>,
    now: number,
  ): void {
    const lines = all.filter(({ device }) => device.family.level === 'line')
    const byId = new Map(lines.map((line) => [line.id, line]))
    const graph = graphOf(lines, topology)
    const measured = new Map(lines.flatMap((line) => voltageOf(line, now) ?? []))
    const evidence = supplyEvidence(graph, (id) => measured.get(id)?.volts ?? null)
    const { disagrees } = liveness(graph, (id) => positionOf(byId.get(id)), evidence)
    const found = this.#foundOf(project, graph, lines)
    for (const bus of new Set([...disagrees, ...found.keys()])) {
      const own = found.get(bus) ?? { state: newDiagramState(false), line: null }
      found.set(bus, own)
      const by = disagrees.has(bus) ? (evidence.measuredBy.get(bus) ?? []) : []
      this.#fold(
        own,
        by.flatMap((id) => byId.get(id) ?? []),
        measured,
        now,
      )
      if (!own.state.active && own.state.since === null) found.delete(bus)
    }
  }

  #fold(own: Found, by: readonly PlantLine[], measured: ReadonlyMap<number, Measured>, now: number): void {
    const line = own.line ?? by[0]
    if (!line) return
    const rule = this.#deps.rules.of(diagramDisagrees, {
      ...{ project: line.device.gateway.project, family: line.device.family.key, lineId: line.id },
    })
    const newest = Math.max(...by.map(({ id }) => measured.get(id)?.at ?? 0))
    const volts = Math.max(...by.map(({ id }) => measured.get(id)?.volts ?? 0))
    const measuredAt = rule.enabled && by.length > 0 ? newest : null
    const change = foldDiagram(rule.params, own.state, { at: now, measuredAt, volts, limitV: energisedV })
    if (change?.kind === 'returned') {
      this.#book.add({ act: 'return', draft: returnDraft(diagramDisagrees, placeOfLine(line), null, now) })
      own.line = null
    }
    if (change?.kind !== 'raised') return
    own.line = line
    this.#book.add({
      ...{ act: 'raise', draft: findingDraft(diagramDisagrees, placeOfLine(line), change.finding, rule, now) },
      ...{ finding: change.finding, rule, coverage: null, day: null, isLate: false },
    })
  }

  /** After a start what is open stands in the alarms of lines; what hangs elsewhere by now is looked at there, and returns here. */
  #foundOf(project: PlantProject, graph: PlantGraph, lines: readonly PlantLine[]): Map<BusKey, Found> {
    const known = this.#found.get(project)
    if (known) return known
    const found = new Map<BusKey, Found>()
    this.#found.set(project, found)
    for (const line of lines) {
      const bus = graph.hangsOn.get(line.id)
      if (bus && line.alarms.has(diagramDisagrees.key)) found.set(bus, { state: newDiagramState(true), line })
    }
    return found
  }
}

interface Measured {
  readonly volts: number
  readonly at: number
}

const graphOf = (lines: readonly PlantLine[], { Sources, Ties }: Pick<TopologyContent, 'Sources' | 'Ties'>): PlantGraph =>
  plantGraph(
    lines.map(({ id, upstreamId, device }) => ({
      ...{ lineId: id, feederId: upstreamId },
      hasSwitch: device.family.states.some(({ key }) => key === 'position'),
    })),
    Sources.map(({ SourceID, LineIDs }) => ({ sourceId: SourceID, lines: LineIDs })),
    Ties.map(({ LineID, BusA, BusB }) => ({ lineId: LineID, busA: BusA as BusKey, busB: BusB as BusKey })),
  )

const isThere = ({ device }: PlantLine): boolean => linkOfDevice(device).link === 'online'

/** What its equipment, being there, reported. */
function positionOf(line: PlantLine | undefined): KnownPosition {
  const position = line && isThere(line) ? line.states.get('position') : undefined
  return position === 'closed' || position === 'open' ? position : 'unknown'
}

/** The highest voltage of a line that is of now, and when it was received. */
function voltageOf(line: PlantLine, now: number): readonly [readonly [number, Measured]] | null {
  if (!isThere(line) || line.liveReceivedAt === null) return null
  if (now - line.liveReceivedAt > stalePeriods * reportingPeriodOf(line.device)) return null
  const slots = line.device.family.points.flatMap(({ quantity, slot }) => (quantity === 'voltage' ? [slot] : []))
  const volts = Math.max(...slots.map((slot) => line.values[slot] ?? Number.NaN).filter((value) => !Number.isNaN(value)))
  return Number.isFinite(volts) ? [[line.id, { volts, at: line.liveReceivedAt }]] : null
}
