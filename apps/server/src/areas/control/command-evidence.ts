import type { CommandFact } from '@linewarden/rules/control'
import { evidenceOf, stillClosed } from '@linewarden/rules/control'
import type { Ingest } from '../../field/ingest.ts'
import type { Evidence } from '../../field/orders/dispatcher.ts'
import type { CommandResult, Committed, StateReport } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import type { WatchedTests } from './watched-tests.ts'

interface Deps {
  readonly plant: Plant
  readonly ingest: Pick<Ingest, 'hasValidPosition'>
  readonly watched: WatchedTests
  readonly clock: () => number
}

/** The commands that are open now. */
interface OpenCommands {
  readonly at: (place: string) => readonly StoredCommand[]
  readonly byId: (id: string) => StoredCommand | undefined
}

/** What a commit proves of the commands that are open: what gateways answered, what lines reported, and which tests are watched no longer. */
export class CommandEvidence {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  in(committed: Committed, open: OpenCommands): readonly Evidence<CommandFact>[] {
    const { reports = [], results = [], lines = [] } = committed
    // First of all: what this commit tells came after whatever was missed, or nobody knows that it did not.
    const evidence = this.#noLongerWatched(this.#deps.watched.evidenceIn(committed))
    for (const result of results) evidence.push(...this.#measuredIn(result, open))
    for (const report of reports) evidence.push(...this.#reportedIn(report, open))
    evidence.push(...this.#stillClosedOf(lines, open))
    // A position that was reported before the trip time says nothing of what came after it.
    return evidence.toSorted(([, a], [, b]) => a.at - b.at)
  }

  /** A trip time, of the gateway that was asked. */
  #measuredIn(
    { commandId, gateway, status, tripMs, receivedAt: at }: CommandResult,
    open: OpenCommands,
  ): Evidence<CommandFact>[] {
    const command = open.byId(commandId)
    const line = command && this.#deps.plant.lines.get(command.lineId)
    if (tripMs === null || status !== 'accepted' || line?.device.gateway !== gateway) return []
    if (tripMs > 0) this.#deps.watched.measured(commandId, line, at)
    return [[commandId, { kind: 'measured', tripMs, at }]]
  }

  #reportedIn(report: StateReport, { at }: OpenCommands): Evidence<CommandFact>[] {
    const { watched } = this.#deps
    const evidence = this.#noLongerWatched(watched.saw(report))
    const open = at(String(report.line.id))
    for (const command of open) {
      const fact = evidenceOf(
        command,
        { ...report, at: report.receivedAt },
        { ...contextOf(report.line), open, measuredAt: watched.measuredAt(command.commandId, report.line) },
      )
      if (fact) evidence.push([command.commandId, fact])
    }
    return evidence
  }

  /** Of watched tests whose lines stayed closed. */
  #stillClosedOf(lines: readonly PlantLine[], { byId }: OpenCommands): Evidence<CommandFact>[] {
    const { watched, ingest } = this.#deps
    return watched.of(lines).flatMap(({ commandId, measuredAt, line }): Evidence<CommandFact>[] => {
      const test = byId(commandId)
      const { liveAt, liveReceivedAt: receivedAt } = line
      const [position, positionValid] = [line.states.get('position') ?? null, ingest.hasValidPosition(line)]
      const fact = test && stillClosed({ measuredAt, deadline: test.deadline, position, positionValid, liveAt, receivedAt })
      return fact ? [[commandId, fact]] : []
    })
  }

  #noLongerWatched(tests: readonly string[]): Evidence<CommandFact>[] {
    return tests.map((commandId) => [commandId, { kind: 'unwatched', at: this.#deps.clock() }])
  }
}

/** What of a line decides what a report of it proves. */
const contextOf = ({ device, tripFence, lockoutCause }: PlantLine) => ({
  actions: device.family.actions,
  tripFence,
  lockedOut: lockoutCause !== null,
})
