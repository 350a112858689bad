import type { HeatRow, LoadAbout } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { civilZone } from '@linewarden/rules/automation'
import { momentText } from '../../ui/moment-text.ts'
import { grouped, scaleOf } from './figures.ts'

/** Decimals of kW of which the largest is this: all figures of a page have as many, so that they can be compared. */
export function kwDigits(max: number | null): number {
  if (max === null || max >= 1_000) return 0
  if (max >= 100) return 1
  return max >= 1 ? 2 : 3
}

/** kW as a text; null: not known. */
export const kwText = (kw: number | null, digits: number): string => (kw === null ? '–' : grouped(kw, digits))

/** Decimals of an axis with such steps. */
export const stepDigits = (step: number): number => {
  const digits = [0, 1, 2, 3].find((each) => Number.isInteger(Math.round(step * 10 ** each * 1e6) / 1e6))
  return digits ?? 3
}

/** The axis of a chart of kW. */
export const kwScale = (most: number): { readonly top: number; readonly step: number } =>
  most > 0 ? scaleOf(most) : { top: 1, step: 0.25 }

/** Shades of the heat map. */
export const heatShades = 5
const niceSteps = [1, 1.2, 1.5, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10]

/** kW of one shade: the largest hour is in the last one. */
export function heatStep(most: number): number {
  if (most <= 0) return 1
  const rough = most / heatShades
  const power = 10 ** Math.floor(Math.log10(rough))
  return (niceSteps.find((each) => each * power >= rough) ?? 10) * power
}

/** Which shade, from 0, the faintest. */
export const heatShade = (kw: number, step: number): number => Math.max(0, Math.min(heatShades - 1, Math.floor(kw / step + 1e-9)))

/** How an hour of the heat map is known: `part` where some of its quarters are missing. */
export const heatHow = ({ KW, How }: HeatRow, hour: number) => {
  const how = How[hour] ?? 'missing'
  return how === 'missing' && KW[hour] != null ? 'part' : how
}

/** A line through points; broken where there is none. */
export function linePath(points: readonly (readonly [number, number] | null)[]): string {
  let path = ''
  let isBroken = true
  for (const point of points) {
    if (point) path += `${isBroken ? 'M' : 'L'}${point[0].toFixed(1)} ${point[1].toFixed(1)}`
    isBroken = point === null
  }
  return path
}

/** The area between two lines; broken where one of them is. */
export function bandPath(points: readonly (readonly [x: number, low: number, high: number] | null)[]): string {
  let path = ''
  let run: (readonly [number, number, number])[] = []
  const close = () => {
    const above = run.map(([x, , high]) => [x, high] as const)
    const below = run.map(([x, low]) => [x, low] as const).reverse()
    if (run.length > 1) path += `${linePath([...above, ...below])}Z`
    run = []
  }
  for (const point of points) {
    if (point) run.push(point)
    else close()
  }
  close()
  return path
}

/** When a quarter begins, by the project's clock; `pass`: which one it is where the clock shows that time twice. */
export function quarterTime(timeZone: string, at: number): { readonly text: string; readonly pass: 'first' | 'second' | null } {
  const zone = civilZone(timeZone)
  const wall = zone.wallAt(at)
  const begins = zone.resolve(zone.dayAt(at), (((wall % dayMs) + dayMs) % dayMs) / 1_000)
  const pass = begins?.clock !== 'overlap' ? null : begins.at === at ? 'first' : 'second'
  return { text: momentText('minute', zoneClock(timeZone).local(at)), pass }
}

/** The day and hour in which the maximum lies; null: there is none. */
export function hourOfMax({
  Zone,
  MaxAt,
}: Pick<LoadAbout, 'Zone' | 'MaxAt'>): { readonly day: string; readonly hour: number } | null {
  if (MaxAt === null) return null
  const { text } = quarterTime(Zone, MaxAt)
  return { day: text.slice(0, 10), hour: Number(text.slice(11, 13)) }
}
