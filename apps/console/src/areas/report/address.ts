import type { DeviceDataKey } from '@linewarden/contract'
import type { DeviceDataStep, Period, UsualPeriod } from '@linewarden/rules/report'
import { deviceDataSteps, maxDeviceDataLines, maxDeviceDataPoints, usualPeriods } from '@linewarden/rules/report'

/** Rows of a page that a person may choose; the first is the usual. */
export const pageSizes = [100, 200, 500, 1_000] as const

/** What the address says: shared, it shows the same table. */
export interface DataAddress {
  /** Null: the lines that the tree selects. */
  readonly lines: readonly number[] | null
  /** Null: those that such lines usually are looked at by. */
  readonly points: readonly string[] | null
  readonly step: DeviceDataStep
  readonly usual: UsualPeriod
  /** Null: the usual period decides. */
  readonly range: Period | null
  readonly size: number
  readonly after: DeviceDataKey | null
  readonly before: DeviceDataKey | null
}

/** The last moment that can be asked for: a day before the years get a fifth digit, so that every zone's clock can still show it. */
export const latestMs = Date.UTC(9999, 11, 31)

const pointKey = /^[A-Za-z0-9.]{1,64}$/

/** Reads an address; what of it cannot be read is as if it were not there. */
export function readAddress(query: URLSearchParams): DataAddress {
  const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to > from && to <= latestMs
  const listed = (name: string) => query.get(name)?.split(',')
  const lines = listed('lines')?.map(Number).filter(isId).slice(0, maxDeviceDataLines) ?? []
  const points = listed('points')?.filter((each) => pointKey.test(each))
  return {
    lines: lines.length > 0 ? [...new Set(lines)] : null,
    points: points ? [...new Set(points)].slice(0, maxDeviceDataPoints) : null,
    step: deviceDataSteps.find((each) => each === query.get('step')) ?? 'hour',
    usual: usualPeriods.find((each) => each === query.get('period')) ?? 'today',
    range: isRange ? { from, to } : null,
    size: pageSizes.find((each) => String(each) === query.get('size')) ?? pageSizes[0],
    after: readKey(query.get('after')),
    before: readKey(query.get('before')),
  }
}

const isId = (id: number): boolean => Number.isInteger(id) && id > 0 && id < 2_147_483_648

function readKey(text: string | null): DeviceDataKey | null {
  const [, at, line] = /^(\d{1,15})\.(\d{1,9})$/.exec(text ?? '') ?? []
  return Number(line) > 0 ? { At: Number(at), LineID: Number(line) } : null
}

export const keyText = ({ At, LineID }: DeviceDataKey): string => `${At}.${LineID}`

/** The period when one end is set by hand: what was typed stands, and the other end gives way where both cannot. */
export function edited({ from, to }: Period, edge: keyof Period, at: number): Period {
  const within = Math.min(Math.max(at, 0), latestMs)
  if (edge === 'from')
    return { from: Math.min(within, latestMs - 1), to: within < to ? to : Math.min(latestMs, within + to - from) }
  return { from: within > from ? from : Math.max(0, within - (to - from)), to: Math.max(1, within) }
}
