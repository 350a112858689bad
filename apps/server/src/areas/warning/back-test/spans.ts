import { dayMs, hourMs } from '@linewarden/equipment'
import type { BackTestFinding, LineBackTest, NotEvaluatedReason } from '@linewarden/rules/warning'
import { minCoverage } from '@linewarden/rules/warning'
import type { PlantLine } from '../../../plant/plant.ts'
import type { StoredDays } from '../../../store/warning/window.ts'
import { clockOf } from '../line-facts.ts'

/** What was raised and when it returned, as the samples or events of a line are followed one after the other. */
export class Spans {
  readonly #from: number
  readonly #open = new Map<
    string | null,
    { readonly at: number; readonly finding: (BackTestFinding & { hours: number }) | null }
  >()
  readonly #findings: (BackTestFinding & { hours: number })[] = []
  readonly #dayOf: (at: number) => number

  /** What is raised before `from` is open at the beginning and counts for nothing. */
  constructor(line: PlantLine, from: number) {
    const clock = clockOf(line.device.gateway.project.timeZone)
    this.#from = from
    this.#dayOf = (at) => Math.floor(clock.local(at) / dayMs)
  }

  raise(point: string | null, at: number): void {
    if (this.#open.has(point)) return
    const finding = at < this.#from ? null : { point, day: this.#dayOf(at), hours: 0 }
    if (finding) this.#findings.push(finding)
    this.#open.set(point, { at, finding })
  }

  return(point: string | null, at: number): void {
    const open = this.#open.get(point)
    if (open?.finding) open.finding.hours = (at - open.at) / hourMs
    this.#open.delete(point)
  }

  get isOpen(): boolean {
    return this.#open.size > 0
  }

  end(to: number): readonly BackTestFinding[] {
    for (const point of [...this.#open.keys()]) this.return(point, to)
    return this.#findings
  }
}

/** Of how many days of a stretch there are samples enough, and of how many not. */
export function daysKnown(
  line: PlantLine,
  days: StoredDays | undefined,
  from: number,
  to: number,
): Pick<LineBackTest, 'evaluated' | 'reasons'> {
  const clock = clockOf(line.device.gateway.project.timeZone)
  const [first, last] = [Math.floor(clock.local(from) / dayMs), Math.floor(clock.local(to - 1) / dayMs)]
  const evaluated = new Set<number>()
  for (const [nth, day] of (days?.day ?? []).entries())
    if (day >= first && day <= last && (days?.coverage[nth] ?? 0) >= minCoverage) evaluated.add(day)
  const missing = last - first + 1 - evaluated.size
  return { evaluated, reasons: new Map<NotEvaluatedReason, number>(missing > 0 ? [['coverage', missing]] : []) }
}

/** Of what is known at every moment, as links and trips are. */
export function everyDay(line: PlantLine, from: number, to: number): Pick<LineBackTest, 'evaluated' | 'reasons'> {
  const clock = clockOf(line.device.gateway.project.timeZone)
  const [first, last] = [Math.floor(clock.local(from) / dayMs), Math.floor(clock.local(to - 1) / dayMs)]
  return { evaluated: new Set(Array.from({ length: last - first + 1 }, (_, nth) => first + nth)), reasons: new Map() }
}
