import { maxHistoryPoints } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'

/** A point as the address names it: with its project, so that only that one's lines must be known. */
export interface AddressPoint {
  readonly house: number
  readonly line: number
  readonly point: string
}

export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Ranges of one press, counted back from now. */
export const presets = {
  hour1: hourMs,
  hour24: dayMs,
  day7: 7 * dayMs,
  day30: 30 * dayMs,
  year1: 365 * dayMs,
} as const
export type Preset = keyof typeof presets

/** What the address says: shared, it shows the same picture. Null points: the tree's selection decides. */
export interface HistoryAddress {
  readonly points: readonly AddressPoint[] | null
  readonly preset: Preset | null
  /** Set when the range is not a preset's. */
  readonly range: TimeRange | null
  readonly compare: boolean
}

const isPreset = (text: string | null): text is Preset => text !== null && Object.hasOwn(presets, text)

/** Shortest and longest range that can be looked at. */
export const minMs = 2_000
export const maxMs = 10 * 365 * dayMs
/** The last moment that can be asked for: a day before the years get a fifth digit, so that every zone's clock can still show it. */
export const latestMs = Date.UTC(9999, 11, 31)

export function readAddress(query: URLSearchParams): HistoryAddress {
  const from = Number(query.get('from'))
  const to = Number(query.get('to'))
  const isRange =
    Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to > from && to - from <= maxMs && to <= latestMs
  const last = query.get('last')
  const points = query.get('points')
  return {
    points: points === null ? null : readPoints(points),
    preset: isRange ? null : isPreset(last) ? last : 'hour24',
    range: isRange ? { from, to } : null,
    compare: query.get('compare') === '1',
  }
}

/** `3:12:current.a,3:12:current.b`; what cannot be read is left out. */
export function readPoints(text: string): AddressPoint[] {
  const found = new Map<string, AddressPoint>()
  for (const each of text.split(',')) {
    const [, house, line, point = ''] = /^(\d{1,9}):(\d{1,9}):([\w.]{1,64})$/.exec(each) ?? []
    if (Number(line) > 0) found.set(each, { house: Number(house), line: Number(line), point })
  }
  return [...found.values()].slice(0, maxHistoryPoints)
}

export const pointsText = (points: readonly AddressPoint[]): string =>
  points.map(({ house, line, point }) => `${house}:${line}:${point}`).join(',')

/**
 * The range when one end is set by hand. What was typed stands; the other end follows where both cannot: past it, the length is kept; too
 * far from it, it comes as near as it must.
 */
export function edited({ from, to }: TimeRange, edge: keyof TimeRange, at: number): TimeRange {
  const span = to - from
  const within = (length: number) => Math.min(maxMs, Math.max(minMs, length))
  if (edge === 'from') {
    const next = Math.min(Math.max(0, at), latestMs - minMs)
    return { from: next, to: Math.min(latestMs, next + within(to > next ? to - next : span)) }
  }
  const next = Math.min(Math.max(minMs, at), latestMs)
  return { from: Math.max(0, next - within(next > from ? next - from : span)), to: next }
}

/** The range moved by a share of itself, or zoomed about a place in it (0 left, 1 right). */
export const moved = ({ from, to }: TimeRange, share: number): TimeRange => {
  const by = Math.max(-from, Math.round((to - from) * share))
  return { from: from + by, to: to + by }
}
export function zoomed({ from, to }: TimeRange, factor: number, about: number): TimeRange {
  const span = Math.min(maxMs, Math.max(minMs, Math.round((to - from) * factor)))
  const start = Math.max(0, Math.round(from + (to - from) * about - span * about))
  return { from: start, to: start + span }
}
