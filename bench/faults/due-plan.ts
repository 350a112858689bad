import { seededRandom } from '@linewarden/simulator'

export const nights = ['ordinary', 'spring', 'autumn'] as const
export type Night = (typeof nights)[number]
export type Victim = 'first' | 'second' | 'database'
export type LineKind = 'sound' | 'tagged' | 'refused'

/** One timer of one point; its wall time is of the project's zone. */
export interface PlannedDue {
  readonly line: number
  readonly action: 'trip' | 'close'
  readonly date: string
  /** `HH:MM:SS` */
  readonly time: string
  /** Unix ms, found apart from the rules. */
  readonly dueAt: number
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
  readonly dues: readonly PlannedDue[]
  readonly faults: readonly PlannedFault[]
}

const timeZone = 'Europe/Berlin'
const [minuteMs, hourMs] = [60_000, 3_600_000]
/** A trip and, once the line may be operated again, a close of every line. */
const roundMs = 45_000
const [tripFromMs, closeFromMs, spreadMs] = [8_000, 24_000, 8_000]
const killsPerRound = 4
/** Where the offset changes, or would. */
const middles = {
  ordinary: Date.UTC(2027, 5, 9, 1),
  spring: Date.UTC(2027, 2, 28, 1),
  // Where the hour that comes twice begins: all of it happens in the first of the two.
  autumn: Date.UTC(2027, 9, 31, 0),
} as const satisfies Record<Night, number>

/** Everything that will happen, from a seed. `maxPauseMs`: of a server that stands still. */
export function planDues(seed: number, { kills, maxPauseMs }: { kills: number; maxPauseMs: number }): DuePlan {
  const random = seededRandom(seed)
  const below = (most: number) => Math.floor(random() * most)
  const night = nights[seed % nights.length] ?? 'ordinary'
  const rounds = Math.ceil(kills / killsPerRound)
  const lengthMs = rounds * roundMs
  const beginsAt = night === 'autumn' ? middles.autumn : middles[night] - Math.min(hourMs, Math.floor(rounds / 2) * roundMs)
  const lines: readonly LineKind[] = ['sound', 'sound', 'sound', 'sound', 'sound', 'sound', 'tagged', 'refused']
  const civil = civilTimes(beginsAt - 2 * hourMs, beginsAt + lengthMs + 2 * hourMs)
  const dueOf = (line: number, action: 'trip' | 'close', dueAt: number): PlannedDue => ({ line, action, ...wallOf(dueAt), dueAt })
  const dues: PlannedDue[] = []
  const faults: PlannedFault[] = []
  for (let round = 0; round < rounds; round++) {
    const base = beginsAt + round * roundMs
    const own = lines.flatMap((_, line) => [
      dueOf(line, 'trip', base + tripFromMs + 1_000 * below(spreadMs / 1_000)),
      dueOf(line, 'close', base + closeFromMs + 1_000 * below(spreadMs / 1_000)),
    ])
    // The second time that a wall clock shows an hour nothing is due.
    dues.push(...own.filter(({ date, time, dueAt }) => civil(date, time) === dueAt))
    for (let kill = 0; kill < killsPerRound && round * killsPerRound + kill < kills; kill++) {
      const near = own[below(own.length)]?.dueAt ?? base
      const victim = (['first', 'second', 'first', 'second', 'database'] as const)[below(5)] ?? 'first'
      faults.push({ at: near - beginsAt - 2_000 + below(6_000), do: 'kill', victim })
    }
    if (round % 3 === 1) {
      const forMs = 1_000 + below(maxPauseMs - 1_000)
      faults.push({ at: round * roundMs + below(roundMs), do: 'pause', victim: random() < 0.5 ? 'first' : 'second', forMs })
    }
    // Back, so that what is due comes once more; forward over what is due only where little is left: all of it is missed then.
    const isLast = round === rounds - 1
    if (round % 4 === 2 || isLast) {
      const byMs = isLast ? hourMs : -hourMs
      const victim = isLast ? 'database' : ((['first', 'second', 'database'] as const)[below(3)] ?? 'first')
      faults.push({ at: round * roundMs + below(roundMs), do: 'clock', victim, byMs, forMs: 1_000 + below(15_000) })
    }
  }
  // In the hour that spring leaves out: due when it is over.
  if (night === 'spring') {
    const [date, time] = ['2027-03-28', '02:30:00'] as const
    for (const line of lines.keys())
      dues.push({ line, action: line % 2 ? 'trip' : 'close', date, time, dueAt: civil(date, time) })
  }
  const sorted = faults.toSorted((one, other) => one.at - other.at)
  return { night, timeZone, beginsAt, endsAt: beginsAt + lengthMs, lines, dues: distinct(dues), faults: sorted }
}

/** Of one line nothing is due twice at once. */
function distinct(dues: readonly PlannedDue[]): readonly PlannedDue[] {
  const seen = new Set<string>()
  return dues.filter(({ line, dueAt }) => {
    const key = `${line} ${dueAt}`
    return !seen.has(key) && seen.add(key)
  })
}

const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })

export function wallOf(at: number): { readonly date: string; readonly time: string } {
  const [date = '', time = ''] = parts.format(at).split(' ')
  return { date, time }
}

/** Minute by minute: the first instant of a stretch at which a wall clock shows this time or, where it never does, a later one. */
export function civilTimes(from: number, to: number): (date: string, time: string) => number {
  const minutes: { readonly at: number; readonly wall: string }[] = []
  for (let at = Math.floor(from / minuteMs) * minuteMs; at <= to; at += minuteMs) {
    const { date, time } = wallOf(at)
    minutes.push({ at, wall: `${date} ${time.slice(0, 5)}` })
  }
  return (date, time) => {
    const wanted = `${date} ${time.slice(0, 5)}`
    const found = minutes.find(({ wall }) => wall >= wanted)
    if (!found) throw new Error(`${date} ${time} is not in the plan`)
    return found.wall === wanted ? found.at + 1_000 * Number(time.slice(6)) : found.at
  }
}
