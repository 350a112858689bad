import type { AlarmKind, Priority } from '@linewarden/equipment'
import type { CountedAlarm, CountedAs, DayCount, LocalDays } from '@linewarden/rules/hazard'
import { countedAs, countedStep, countStep, isFolded, tenOf } from '@linewarden/rules/hazard'
import type { StoredStep } from './steps.ts'

/** An alarm of a site, by its kind and priority; 0: no gateway, project, device or line. */
export interface TallyPlace {
  readonly gateway_id: number
  readonly project_id: number
  readonly device_id: number
  readonly line_id: number
  readonly key: string
  readonly kind: AlarmKind
  readonly priority: Priority
}

/** As it is stored: wherever its gateway stands, and has stood, it is one place. */
const storedPlace = ({ gatewayId, projectId, deviceId, lineId, key, kind, priority }: CountedAlarm): TallyPlace => ({
  ...{ gateway_id: gatewayId ?? 0, project_id: gatewayId === null ? projectId : 0, device_id: deviceId ?? 0 },
  ...{ line_id: lineId ?? 0, key, kind, priority },
})

/** By which a place is told from others. */
export const placeName = ({ gateway_id, project_id, device_id, line_id, key, kind, priority }: TallyPlace): string =>
  [gateway_id, project_id, device_id, line_id, kind, priority, key].join('|')

/** What is counted of a place on a day, but for how long acknowledgements took. */
export const dayFigures = ['raised', 'announced', 'folded', 'bursts', 'fleeting', 'unjustified', 'overDay', 'activeMs'] as const

/** `place`: which one of the tally's places. */
interface OfPlace {
  readonly place: number
}
export interface TallyDay extends OfPlace {
  readonly day: number
  /** In the order of `dayFigures`. */
  readonly counts: number[]
}
export interface TallyTen extends OfPlace {
  readonly ten: number
  announced: number
  folded: number
}
export interface TallyAck extends OfPlace {
  readonly day: number
  readonly seconds: number
  times: number
}

/** A step that was counted as something. */
export interface TallyStep extends OfPlace {
  readonly event_id: string
  readonly step_id: string
  /** Unix ms. */
  readonly at: number
  readonly day: number
  readonly priority: Priority
  readonly counted: number
  readonly since: number | null
}

/** What a step was counted as, a bit for each. */
export const bitsOf = (as: readonly CountedAs[]): number => as.reduce((bits, each) => bits | (1 << countedAs.indexOf(each)), 0)

/** Days, windows and seconds are all below this. */
const width = 2 ** 32

/** What steps come to, before it is stored. */
export class Tally {
  readonly places: TallyPlace[] = []
  readonly days = new Map<number, TallyDay>()
  readonly tens = new Map<number, TallyTen>()
  readonly acks = new Map<string, TallyAck>()
  readonly steps: TallyStep[] = []
  readonly #placeByName = new Map<string, number>()
  readonly #zones = new Map<string, LocalDays>()
  readonly #daysOfZone: (timeZone: string) => LocalDays

  constructor(daysOfZone: (timeZone: string) => LocalDays) {
    this.#daysOfZone = daysOfZone
  }

  add({ eventId, stepId, alarm, step, timeZone }: StoredStep): void {
    const days = this.#zones.get(timeZone) ?? this.#daysOfZone(timeZone)
    this.#zones.set(timeZone, days)
    const place = this.#placeOf(alarm)
    for (const [day, count] of countStep(step, days)) this.#addDay(place, day, count)
    const folded = isFolded(step) ? 1 : 0
    if (step.announced || folded > 0) this.#addTen(place, tenOf(step.at), step.announced ? 1 : 0, folded)
    const { as, longSince } = countedStep(step)
    if (as.length > 0 || longSince !== null)
      this.steps.push({
        ...{ place, event_id: eventId, step_id: stepId, at: step.at, day: days.dayOf(step.at) },
        ...{ priority: alarm.priority, counted: bitsOf(as), since: longSince },
      })
  }

  #placeOf(alarm: CountedAlarm): number {
    const place = storedPlace(alarm)
    const name = placeName(place)
    const known = this.#placeByName.get(name)
    if (known !== undefined) return known
    const number = this.places.length
    this.#placeByName.set(name, number)
    this.places.push(place)
    return number
  }

  #addDay(place: number, day: number, count: DayCount): void {
    const name = place * width + day
    const known = this.days.get(name)
    if (known) for (const [i, figure] of dayFigures.entries()) known.counts[i] = (known.counts[i] ?? 0) + count[figure]
    else this.days.set(name, { place, day, counts: dayFigures.map((figure) => count[figure]) })
    for (const seconds of count.ackSeconds) {
      const took = `${name}|${seconds}`
      const same = this.acks.get(took)
      if (same) same.times++
      else this.acks.set(took, { place, day, seconds, times: 1 })
    }
  }

  #addTen(place: number, ten: number, announced: number, folded: number): void {
    const name = place * width + ten
    const known = this.tens.get(name)
    if (known) {
      known.announced += announced
      known.folded += folded
    } else this.tens.set(name, { place, ten, announced, folded })
  }
}
