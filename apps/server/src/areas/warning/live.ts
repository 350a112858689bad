import type { LiveChange, WarningDetector } from '@linewarden/rules/warning'
import { detectors, lineKind, neutral, overcurrent, phaseLoss } from '@linewarden/rules/warning'
import { Loop } from '../../lib/every.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { storedLive, writeLive } from '../../store/warning/live-state.ts'
import type { FindingBook } from './finding-book.ts'
import { findingDraft, placeOfLine, returnDraft } from './finding-draft.ts'
import type { LiveLine, LiveRules } from './live-line.ts'
import { foldLine, isSound, isWatched, newLiveLine } from './live-line.ts'
import type { KeptState } from './live-state.ts'
import { keptState, restoreState } from './live-state.ts'
import type { NightlyDeps } from './nightly.ts'

const checkpointEveryMs = 10_000
/** The usual voltages of lines are kept this often; in between only of lines of which something is counted. */
const referencesEveryMs = 600_000

const byKey = new Map(detectors.map((each) => [each.key, each]))

/**
 * Detectors that look at every sample once it is committed: overcurrent, phase loss, broken neutral. What they count is kept in memory and in
 * a checkpoint; what they found, in its event.
 */
export class LiveDetectors {
  readonly #deps: NightlyDeps
  readonly #book: FindingBook
  /** Null: there is nothing to watch on it. */
  readonly #lines = new WeakMap<PlantLine, LiveLine | null>()
  /** Of lines that were not looked at since the start. */
  #kept: Map<number, KeptState>
  /** Of which something is counted, or was at the last checkpoint. */
  readonly #counting = new Set<LiveLine>()
  readonly #unsubscribe: () => void
  readonly #checkpoint: Loop
  #referencesAt: number

  private constructor(deps: NightlyDeps, book: FindingBook, kept: Map<number, KeptState>) {
    this.#deps = deps
    this.#book = book
    this.#kept = kept
    this.#referencesAt = deps.clock()
    this.#unsubscribe = deps.hub.subscribe(({ lines }) => {
      if (lines) for (const line of lines) this.#fold(line)
    })
    this.#checkpoint = new Loop(checkpointEveryMs, () => this.write(), {
      log: deps.log,
      failed: 'what live detectors count could not be kept; it is tried again',
      level: 'warn',
      unref: true,
    }).start()
  }

  /** Reads what was kept, and looks at everything that is committed from now on. */
  static async start(deps: NightlyDeps, book: FindingBook): Promise<LiveDetectors> {
    return new LiveDetectors(deps, book, new Map(await storedLive<KeptState>(deps.database)))
  }

  /** Keeps what is counted; runs by itself every ten seconds. */
  async write(): Promise<void> {
    const { plant, clock, database } = this.#deps
    const now = clock()
    const all = now - this.#referencesAt >= referencesEveryMs
    const learnt = all
      ? [...plant.lines.values()].flatMap((line) => this.#lines.get(line) ?? []).filter((each) => each.neutral)
      : []
    const rows = [...new Set([...this.#counting, ...learnt])].filter(({ line }) => plant.lines.get(line.id) === line)
    await writeLive(
      database,
      rows.map((each) => ({ lineId: each.line.id, state: keptState(each) })),
      now,
    )
    if (all) this.#referencesAt = now
    for (const each of this.#counting) if (each.isQuiet) this.#counting.delete(each)
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#checkpoint.close()
    this.#referencesAt = Number.NEGATIVE_INFINITY
    await this.write().catch((error) => this.#deps.log.warn({ err: error }, 'what live detectors count could not be kept'))
  }

  /** Every sample of a plant passes here: what is sound, of a line of which nothing is counted, costs a look-up and some comparisons. */
  #fold(line: PlantLine): void {
    const at = line.liveAt
    if (at === null || !line.clockGood) return
    let own = this.#lines.get(line)
    if (own === undefined) own = this.#begin(line)
    if (own === null) return
    if (own.rules.revision !== this.#deps.rules.revision) own.rules = this.#rulesOf(own)
    if (own.isQuiet && isSound(own, at)) return
    if (this.#isOutOfService(line)) return
    const changes = foldLine(own, at)
    if (!own.isQuiet) this.#counting.add(own)
    for (const change of changes) this.#note(line, change)
  }

  #begin(line: PlantLine): LiveLine | null {
    const kind = lineKind({ ...line.device, ratedCurrentA: line.ratedCurrentA, reported: line.reported })
    const made = newLiveLine(line, kind, nothing)
    if (!isWatched(made)) {
      this.#lines.set(line, null)
      return null
    }
    made.rules = this.#rulesOf(made)
    const kept = this.#kept.get(line.id)
    this.#kept.delete(line.id)
    if (kept) restoreState(made, kept)
    this.#lines.set(line, made)
    return made
  }

  #rulesOf({ line }: LiveLine): LiveRules {
    const { rules } = this.#deps
    const place = { project: line.device.gateway.project, family: line.device.family.key, lineId: line.id }
    const of = <D extends WarningDetector>(declaration: D) => {
      const rule = rules.of(declaration, place)
      return rule.enabled ? rule.params : null
    }
    return { revision: rules.revision, overcurrent: of(overcurrent), phaseLoss: of(phaseLoss), neutral: of(neutral) }
  }

  /** Under a tag or in an inspection people work on it. */
  #isOutOfService({ device, ownTags, inspectionUntil }: PlantLine): boolean {
    return (
      ownTags.length + device.ownTags.length + device.gateway.ownTags.length > 0 ||
      (inspectionUntil !== null && inspectionUntil > this.#deps.clock())
    )
  }

  #note(line: PlantLine, change: LiveChange): void {
    const { rules, clock } = this.#deps
    const key = change.kind === 'raised' ? change.finding.key : change.key
    const declaration = byKey.get(key)
    if (!declaration) return
    const at = line.liveAt ?? clock()
    if (change.kind === 'returned') {
      this.#book.add({ act: 'return', draft: returnDraft(declaration, placeOfLine(line), change.point, at) })
      return
    }
    const rule = rules.of(declaration, { project: line.device.gateway.project, family: line.device.family.key, lineId: line.id })
    const { finding } = change
    const draft = findingDraft(declaration, placeOfLine(line), finding, rule, at)
    this.#book.add({ act: 'raise', draft, finding, rule, coverage: null, day: null, isLate: false })
  }
}

const nothing: LiveRules = { revision: -1, overcurrent: null, phaseLoss: null, neutral: null }
