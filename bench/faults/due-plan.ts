import { seededRandom } from '@linewarden/simulator'
import { civilTimes, wallOf } from './due-civil.ts'

export const nights = ['ordinary', 'spring', 'autumn'] as const
export type Night = (typeof nights)[number]
export type Victim = 'first' | 'second' | 'database'
/** `refused`: what is to operate it has no owner. A `source` brings a linkage about, a `target` is what it operates. */
export type LineKind = 'sound' | 'refused' | 'window' | 'scene' | 'source' | 'target'

export interface Act {
  readonly line: number
  readonly action: 'trip' | 'close'
}

/** Its points are of one date, in the civil time of the project. */
export interface PlannedTimer {
  readonly date: string
  /** `at`: `HH:MM:SS` */
  readonly points: readonly { readonly at: string; readonly action: 'trip' | 'close' | 'run' }[]
  readonly lines: readonly number[]
  /** By its place. */
  readonly scene: number | null
  readonly hasOwner: boolean
}

/** One instant of a timer. */
export interface PlannedDue {
  /** By its place. */
  readonly timer: number
  readonly pointNo: number
  /** Unix ms, found apart from the rules. */
  readonly dueAt: number
  readonly does: readonly Act[]
  readonly isScene: boolean
  /** A trip inside the window of another timer of the line: it is left out. */
  readonly isWanted: boolean
}

/** So much load flows on the source of a linkage from then on, and for so long; `at`: ms after the beginning. */
export interface PlannedRise {
  readonly linkage: number
  readonly at: number
  readonly forMs: number
}

/** What goes wrong; `at`: ms after the beginning. A clock goes wrong for a while by so much, the database's, or a server's own. */
export type PlannedFault = { readonly at: number } & (
  | { readonly do: 'kill'; readonly victim: Victim }
  | { readonly do: 'pause'; readonly victim: 'first' | 'second'; readonly forMs: number }
  | { readonly do: 'clock'; readonly victim: Victim; readonly byMs: number; readonly forMs: number }
)

export interface DuePlan {
  readonly night: Night
  readonly timeZone: string
  /** Unix ms of the time in which all of it happens. */
  readonly beginsAt: number
  readonly endsAt: number
  readonly lines: readonly LineKind[]
  readonly scenes: readonly (readonly Act[])[]
  readonly timers: readonly PlannedTimer[]
  readonly dues: readonly PlannedDue[]
  /** Each trips its target at once, and closes it after `closeDelayMs` if the load still flows. */
  readonly linkages: readonly { readonly source: number; readonly target: number }[]
  readonly rises: readonly PlannedRise[]
  /** Hung on lines in the middle of it; `at`: ms after the beginning, 0: from the start. */
  readonly tags: readonly { readonly line: number; readonly at: number }[]
  readonly faults: readonly PlannedFault[]
}

export const timeZone = 'Europe/Berlin'
/** So much load brings a linkage about; so soon it closes again what it tripped. */
export const [riseAboveA, closeDelayMs] = [40, 15_000]
const [secondMs, hourMs] = [1_000, 3_600_000]
const killEveryMs = 5_500
/** In each of these every line is operated once each way; between two operations of a line lie more than the ten seconds that a breaker needs. */
const roundMs = 40_000
/** A linkage closes one line six times an hour at most. */
const [riseEveryMs, maxLinkages] = [25_000, 29]
/** Of a short rise the load is gone before its close is due; a long one is there still when a server was away for a while. */
const [shortRiseMs, longRiseMs] = [8_000, 100_000]
/** The middle of the night, where the offset changes or would; in autumn where the hour begins that was there already. */
const middles = {
  ordinary: Date.UTC(2027, 5, 9, 1),
  spring: Date.UTC(2027, 2, 28, 1),
  autumn: Date.UTC(2027, 9, 31, 1),
} as const satisfies Record<Night, number>
/** So much of it is over by then: in the hour that comes a second time nothing is due. */
const before = { ordinary: 0.5, spring: 0.5, autumn: 0.8 } as const

const soundLines = 10
const refused = 7
const tagged = 6
const taggedLater = [8, 9] as const
const windows = [10, 11] as const
const [sceneA, sceneB, sceneTagged] = [12, 13, 14] as const
const firstSource = 15
const scenes: readonly (readonly Act[])[] = (
  [
    [sceneA, sceneB],
    [sceneB, sceneA],
  ] as const
).map(([trip, close]) => [
  { line: trip, action: 'trip' },
  { line: close, action: 'close' },
  { line: sceneTagged, action: 'close' },
])

type Below = (most: number) => number
/** Its instants instead of their wall times. */
interface DatedTimer {
  readonly points: readonly { readonly dueAt: number; readonly action: 'trip' | 'close' | 'run' }[]
  readonly lines: readonly number[]
  readonly scene?: number
  /** Inside whose window its trip is. */
  readonly wantedBy?: DatedTimer
}

/** Everything that will happen, from a seed. `maxPauseMs`: of a server that stands still. */
export function planDues(seed: number, { kills, maxPauseMs }: { kills: number; maxPauseMs: number }): DuePlan {
  const random = seededRandom(seed)
  const below = (most: number) => Math.floor(random() * most)
  const night = nights[seed % nights.length] ?? 'ordinary'
  const rounds = Math.ceil((kills * killEveryMs) / roundMs)
  const lengthMs = (rounds + 1) * roundMs
  const beginsAt = Math.floor((middles[night] - before[night] * lengthMs) / secondMs) * secondMs
  const civil = civilTimes(timeZone, beginsAt - 2 * hourMs, beginsAt + lengthMs + 2 * hourMs)
  // In the hour that comes a second time nothing is due.
  const isPlanned = ({ points }: DatedTimer) => points.every(({ dueAt }) => civil(wallOf(timeZone, dueAt)) === dueAt)
  const dated = Array.from({ length: rounds }, (_, round) => timersOf(beginsAt + round * roundMs, below))
    .flat()
    .filter(isPlanned)
  const isWanted = ({ wantedBy }: DatedTimer) => wantedBy !== undefined && isPlanned(wantedBy)
  const made = dated.map((each) => madeOf(each, isWanted(each), ({ dueAt }) => wallOf(timeZone, dueAt)))
  if (night === 'spring') {
    // In the hour that is left out: due when it is over.
    const gone = { date: '2027-03-28', time: '02:30:00' }
    for (let line = 0; line <= refused; line++) {
      const timer = { points: [{ dueAt: civil(gone), action: line % 2 ? ('trip' as const) : ('close' as const) }], lines: [line] }
      made.push(madeOf(timer, false, () => gone))
    }
  }
  const timers = made.map(({ timer }) => timer)
  const dues = made.flatMap((each, timer) => each.dues.map((due) => ({ ...due, timer })))
  const rises = risesOf(lengthMs, below)
  const linkages = Array.from({ length: Math.min(maxLinkages, rises.length) }, (_, index) => {
    return { source: firstSource + 2 * index, target: firstSource + 2 * index + 1 }
  })
  return {
    ...{ night, timeZone, beginsAt, endsAt: beginsAt + lengthMs, scenes, timers, dues, linkages, rises },
    lines: [
      ...Array.from({ length: soundLines }, (_, line): LineKind => (line === refused ? 'refused' : 'sound')),
      ...windows.map((): LineKind => 'window'),
      ...[sceneA, sceneB, sceneTagged].map((): LineKind => 'scene'),
      ...linkages.flatMap((): LineKind[] => ['source', 'target']),
    ],
    tags: [
      { line: tagged, at: 0 },
      { line: sceneTagged, at: 0 },
      ...taggedLater.map((line, index) => ({ line, at: Math.floor(lengthMs * (0.3 + 0.2 * index)) + below(0.2 * lengthMs) })),
    ],
    faults: faultsOf(
      dues.map(({ dueAt }) => dueAt - beginsAt),
      { kills, rounds, maxPauseMs: Math.min(maxPauseMs, lengthMs / 3) },
      random,
    ),
  }
}

/** Of one round; each line has a place of its own in it, so that something is due at any time. */
function timersOf(base: number, below: Below): DatedTimer[] {
  const timers: DatedTimer[] = []
  for (let line = 0; line < soundLines; line++) {
    const trip = base + line * 4 * secondMs + below(6) * secondMs
    const close = trip + 12 * secondMs + below(8) * secondMs
    timers.push({ points: [{ dueAt: trip, action: 'trip' }], lines: [line] })
    timers.push({ points: [{ dueAt: close, action: 'close' }], lines: [line] })
  }
  for (const [index, line] of windows.entries()) {
    // Two windows that overlap: the first one's trip is inside the second.
    const from = base + index * 20 * secondMs + below(4) * secondMs
    const window = (fromS: number, toS: number): DatedTimer => ({
      points: [
        { dueAt: from + fromS * secondMs, action: 'close' },
        { dueAt: from + toS * secondMs, action: 'trip' },
      ],
      lines: [line],
    })
    const second = window(6, 24)
    timers.push({ ...window(0, 14), wantedBy: second }, second)
  }
  for (const scene of scenes.keys())
    timers.push({
      points: [{ dueAt: base + (8 + 20 * scene) * secondMs + below(4) * secondMs, action: 'run' }],
      ...{ lines: [], scene },
    })
  return timers
}

function madeOf(
  { points, lines, scene }: DatedTimer,
  isWanted: boolean,
  wallOfPoint: (point: DatedTimer['points'][number]) => { readonly date: string; readonly time: string },
): { readonly timer: PlannedTimer; readonly dues: readonly Omit<PlannedDue, 'timer'>[] } {
  const walls = points.map(wallOfPoint)
  return {
    timer: {
      ...{ date: walls[0]?.date ?? '', lines, scene: scene ?? null, hasOwner: !lines.includes(refused) },
      points: points.map(({ action }, index) => ({ at: walls[index]?.time ?? '', action })),
    },
    dues: points.map(({ dueAt, action }, index) => ({
      ...{ pointNo: index + 1, dueAt, isWanted: isWanted && action === 'trip', isScene: action === 'run' },
      does: action === 'run' ? (scenes[scene ?? -1] ?? []) : lines.map((line) => ({ line, action })),
    })),
  }
}

/** All of them end before all of it does. */
function risesOf(lengthMs: number, below: Below): PlannedRise[] {
  const rises: PlannedRise[] = []
  for (let at = 5_000; at + longRiseMs < lengthMs; at += riseEveryMs)
    rises.push({
      linkage: rises.length % maxLinkages,
      at: at + below(5_000),
      forMs: rises.length % 3 === 1 ? shortRiseMs : longRiseMs,
    })
  return rises
}

/** `dueAfter`: when something is due, ms after the beginning. */
function faultsOf(
  dueAfter: readonly number[],
  { kills, rounds, maxPauseMs }: { kills: number; rounds: number; maxPauseMs: number },
  random: () => number,
): readonly PlannedFault[] {
  const below = (most: number) => Math.floor(random() * most)
  const faults: PlannedFault[] = []
  for (let kill = 0; kill < kills; kill++) {
    const from = kill * killEveryMs
    const near = dueAfter.filter((at) => at >= from && at < from + killEveryMs)
    const at = (near[below(near.length)] ?? from + below(killEveryMs)) - 1_500 + below(3_000)
    const victim = (['first', 'second', 'first', 'second', 'database'] as const)[below(5)] ?? 'first'
    faults.push({ at: Math.max(0, at), do: 'kill', victim })
  }
  for (let round = 0; round < rounds; round++) {
    const at = round * roundMs + below(roundMs)
    // Few stand still for minutes: most of the time there are two to be killed.
    if (round % 4 === 1) {
      const forMs = 1_000 + Math.floor((maxPauseMs - 1_000) * random() ** 3)
      faults.push({ at, do: 'pause', victim: random() < 0.5 ? 'first' : 'second', forMs })
    }
    // Back, so that what is due comes once more; forward over what is due only where little is left: all of it is missed then.
    const isLast = round === rounds - 1
    if (round % 4 === 2 || isLast) {
      const byMs = isLast ? hourMs : -hourMs
      const victim = isLast ? 'database' : ((['first', 'second', 'database'] as const)[below(3)] ?? 'first')
      faults.push({ at, do: 'clock', victim, byMs, forMs: 1_000 + below(15_000) })
    }
  }
  return faults.toSorted((one, other) => one.at - other.at)
}
