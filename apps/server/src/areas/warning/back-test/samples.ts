import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import type { LineBackTest, LineKind, LiveChange, ThreeVoltages } from '@linewarden/rules/warning'
import {
  foldNeutral,
  foldOvercurrent,
  foldPhaseLoss,
  neutral,
  newNeutralState,
  newOvercurrentState,
  newPhaseLossState,
  overcurrent,
  phaseLoss,
} from '@linewarden/rules/warning'
import type { PlantLine } from '../../../plant/plant.ts'
import type { PositionCourse } from '../../../store/warning/day-source.ts'
import { positionsOf } from '../../../store/warning/day-source.ts'
import type { CandidateHours, LineStretch, TrialSample } from '../../../store/warning/trial-source.ts'
import { hoursAbove, hoursApart, hoursBelow, linesAboveFor, samplesIn } from '../../../store/warning/trial-source.ts'
import { storedDays } from '../../../store/warning/window.ts'
import { kindOfLine } from '../line-facts.ts'
import { daysKnown, Spans } from './spans.ts'
import type { Trial, Tried, TriedOut } from './trial.ts'
import { isFor, nothingOf } from './trial.ts'

/** Samples of one question: what is held of them at once. */
const samplesAtOnce = 40_000
/** After so many it is asked whether others should have a turn: asking at each of them costs more than folding it. */
const samplesToRest = 100
/** What a returned condition takes, and a gap before it. */
const afterMs = 10 * minuteMs

/** Detectors that fold samples. */
export const sampleKeys: readonly string[] = [overcurrent.key, phaseLoss.key, neutral.key]

/**
 * Tries out a detector that folds samples. Only hours whose stored extremes pass the limit can raise anything: they are read sample by
 * sample, with what lies around them that decides when it returns, and of a neutral the hour before, by which its triangle is learnt.
 */
export async function trySamples(tried: Tried): Promise<TriedOut> {
  const { client, lines, detector, trials, from, to, pace } = tried
  const days = Math.max(1, Math.round((to - from) / dayMs))
  const watched = new Map(lines.map((line) => [line.id, line]))
  const kinds = new Map(lines.map((line) => [line.id, kindOfLine(line)]))
  const bounds = new Map(
    lines.flatMap((line) => {
      const bound = boundOf(detector.key, line, kinds.get(line.id) as LineKind, trials)
      return bound === null ? [] : [[line.id, bound] as const]
    }),
  )
  const stretches = await mayRaise(
    tried,
    stretchesOf(await candidatesOf(tried, bounds), detector.key === neutral.key ? hourMs : 0, to),
    bounds,
    kinds,
  )
  const followed = new Map<number, Follower[]>()
  const positions =
    detector.key === phaseLoss.key && stretches.length > 0
      ? await positionsOf(client, [...new Set(stretches.map(({ lineId }) => lineId))], { begins: from - dayMs, ends: to })
      : new Map<number, PositionCourse>()
  const followersOf = (lineId: number): readonly Follower[] => {
    const line = watched.get(lineId)
    const own =
      followed.get(lineId) ??
      trials.flatMap((trial) => (line ? follower(line, kinds.get(lineId) as LineKind, trial, from, positions.get(lineId)) : []))
    followed.set(lineId, own)
    return own
  }
  const which = detector.key === overcurrent.key ? 'currents' : 'all'
  for (const chunk of chunksOf(stretches.flatMap(withinDays).sort(byTime), watched)) {
    let [lineId, own]: [number | null, readonly Follower[]] = [null, []]
    for (const [nth, sample] of (await samplesIn(client, chunk, which)).entries()) {
      if (sample[0] !== lineId) {
        lineId = sample[0]
        own = followersOf(lineId)
      }
      for (const each of own) each.fold(sample)
      if (nth % samplesToRest === 0) await pace.rest()
    }
  }
  const known = await storedDays(
    client,
    [...bounds.keys()],
    { from: Math.floor(from / dayMs) - 1, to: Math.floor(to / dayMs) + 1 },
    ['day', 'coverage'],
  )
  return trials.map((trial, nth) =>
    lines.flatMap((line): LineBackTest[] => {
      if (!isFor(trial, line)) return []
      if (!bounds.has(line.id)) return [nothingOf(line.id, 'notMeasured', days)]
      const findings = followed.get(line.id)?.[nth]?.spans.end(to) ?? []
      return [{ lineId: line.id, findings, ...daysKnown(line, known.get(line.id), from, to) }]
    }),
  )
}

/** The least that a line must pass for any of the trials to see something; null: it does not measure it. */
function boundOf(key: string, line: PlantLine, kind: LineKind, trials: readonly Trial[]): number | null {
  if (key === overcurrent.key) return kind.currentPoints.length === 0 ? null : overcurrentLimitA(line)
  if (kind.voltagePoints.length !== 3 || kind.ratedA === null) return null
  const most = (name: string) => Math.max(...trials.map(({ params }) => params[name] ?? 0))
  if (key === phaseLoss.key) return kind.supplyV * Math.max(most('deadShare'), most('backFedShare'))
  // Only where phases are measured against the neutral can it be seen to float.
  if (kind.voltageReference !== 'phaseToNeutral') return null
  return Math.min(...trials.map(({ params }) => params.ratio ?? neutral.parameters.ratio.default))
}

/** What a line may carry: its own alarm setting, else its rated current. */
const overcurrentLimitA = ({ reported, ratedCurrentA }: PlantLine): number | null =>
  reported.get('overload.alarm') ?? ratedCurrentA

function candidatesOf({ client, detector, from, to }: Tried, bounds: ReadonlyMap<number, number>): Promise<CandidateHours> {
  const asked = { from, to }
  if (detector.key === overcurrent.key) return hoursAbove(client, bounds, asked)
  return detector.key === phaseLoss.key ? hoursBelow(client, bounds, asked) : hoursApart(client, bounds, asked)
}

/**
 * Of overcurrent only lines on which some phase may have stayed above the limit for long enough: the database looks for such a time itself,
 * and of most lines not one sample needs to be read.
 */
async function mayRaise(
  { client, detector, trials }: Tried,
  stretches: readonly LineStretch[],
  bounds: ReadonlyMap<number, number>,
  kinds: ReadonlyMap<number, LineKind>,
): Promise<readonly LineStretch[]> {
  if (detector.key !== overcurrent.key || stretches.length === 0) return stretches
  const minMs = minuteMs * Math.min(...trials.map(({ params }) => params.minutes ?? overcurrent.parameters.minutes.default))
  const asked = stretches.map((each) => ({
    ...each,
    limit: bounds.get(each.lineId) ?? Number.POSITIVE_INFINITY,
    phases: kinds.get(each.lineId)?.currentPoints.length ?? 0,
  }))
  const lines = await linesAboveFor(client, asked, minMs)
  return stretches.filter(({ lineId }) => lines.has(lineId))
}

/** The stretches around candidate hours. */
function stretchesOf(candidates: CandidateHours, beforeMs: number, to: number): readonly LineStretch[] {
  const made: LineStretch[] = []
  for (const [lineId, hours] of candidates) {
    let open: { begins: number; ends: number } | null = null
    for (const hour of hours) {
      const wanted = { begins: hour - beforeMs, ends: Math.min(to, hour + hourMs + afterMs) }
      if (open && wanted.begins <= open.ends) open.ends = wanted.ends
      else {
        if (open) made.push({ lineId, ...open })
        open = wanted
      }
    }
    if (open) made.push({ lineId, ...open })
  }
  return made
}

const byTime = (one: LineStretch, other: LineStretch): number => one.begins - other.begins || one.lineId - other.lineId

/** A stretch in parts, each within its day. */
function withinDays({ lineId, begins, ends }: LineStretch): LineStretch[] {
  const parts: LineStretch[] = []
  for (let start = begins; start < ends; start = (Math.floor(start / dayMs) + 1) * dayMs)
    parts.push({ lineId, begins: start, ends: Math.min(ends, (Math.floor(start / dayMs) + 1) * dayMs) })
  return parts
}

/** Stretches of one day together, as many as bring so many samples at most. */
function* chunksOf(stretches: readonly LineStretch[], lines: ReadonlyMap<number, PlantLine>): Generator<readonly LineStretch[]> {
  let [chunk, samples, day]: [LineStretch[], number, number] = [[], 0, Number.NaN]
  for (const stretch of stretches) {
    const own = (stretch.ends - stretch.begins) / Math.max(1_000, periodOf(lines.get(stretch.lineId)))
    const itsDay = Math.floor(stretch.begins / dayMs)
    if (chunk.length > 0 && (itsDay !== day || samples + own > samplesAtOnce)) {
      yield chunk
      ;[chunk, samples] = [[], 0]
    }
    chunk.push(stretch)
    samples += own
    day = itsDay
  }
  if (chunk.length > 0) yield chunk
}

const periodOf = (line: PlantLine | undefined): number =>
  line?.device.reportingPeriodMs ?? line?.device.gateway.reportingPeriodMs ?? 1_000

interface Follower {
  readonly spans: Spans
  fold(sample: TrialSample): void
}

const known = (value: number | null | undefined): number => value ?? Number.NaN

/** Folds the samples of a line by one rule. */
function follower(line: PlantLine, kind: LineKind, trial: Trial, from: number, course?: PositionCourse): Follower {
  const spans = new Spans(line, from)
  const note = (at: number, changes: readonly (LiveChange | null)[]) => {
    for (const change of changes)
      if (change?.kind === 'raised') spans.raise(change.finding.point, at)
      else if (change) spans.return(change.point, at)
  }
  const periodMs = periodOf(line)
  const params = trial.params as never
  if (trial.key === overcurrent.key) {
    const limitA = overcurrentLimitA(line) ?? Number.POSITIVE_INFINITY
    const phases = kind.currentPoints.map((point) => ({ context: { limitA, point, periodMs }, state: newOvercurrentState() }))
    return {
      spans,
      fold(sample) {
        const at = sample[1]
        for (const [nth, { context, state }] of phases.entries()) {
          const change = foldOvercurrent(params, state, { at, amperes: known(sample[2 + nth] as number | null) }, context)
          if (change) note(at, [change])
        }
      },
    }
  }
  if (trial.key === neutral.key) {
    const state = newNeutralState()
    return {
      spans,
      fold: ([, at, ...values]) => note(at, [foldNeutral(params, state, { at, volts: voltsOf(values) }, { periodMs })]),
    }
  }
  const state = newPhaseLossState()
  const context = { supplyV: kind.supplyV, ratedA: kind.ratedA ?? Number.NaN, points: kind.voltagePoints, periodMs }
  const closedAt = positionAt(course)
  return {
    spans,
    fold([, at, ...values]) {
      const amperes: ThreeVoltages = [known(values[0]), known(values[1]), known(values[2])]
      note(at, foldPhaseLoss(params, state, { at, closed: closedAt(at), volts: voltsOf(values), amperes }, context))
    },
  }
}

const voltsOf = (values: readonly (number | null)[]): ThreeVoltages => [known(values[3]), known(values[4]), known(values[5])]

/** Where a line stood at a moment, asked in order of time; null: not known. */
function positionAt(course: PositionCourse | undefined): (at: number) => boolean | null {
  let [next, closed]: [number, boolean | null] = [0, course?.first ?? null]
  return (at) => {
    for (let move = course?.moves[next]; move && move.at <= at; move = course?.moves[next]) {
      closed = move.closed
      next += 1
    }
    return closed
  }
}
