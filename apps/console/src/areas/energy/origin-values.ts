import type { EnergyOrigin, OriginLine, OriginQuarters } from '@linewarden/contract'
import { grouped } from './figures.ts'

/** To the Wh, so that whoever adds up gets the same. */
export const kwhExact = (wh: number | null): string => (wh === null ? '–' : grouped(wh / 1_000, 3))

const maxPlaces = 6

/** A register as it was read: all of its places, three at least. */
export function registerText(kwh: number): string {
  const places = kwh.toFixed(maxPlaces).replace(/0+$/, '').split('.')[1]?.length ?? 0
  return grouped(kwh, Math.max(3, places))
}

/** How a figure is known: quarters where they are counted, and the energy of each way but of the measured rest. */
export function howRows({ Wh, Spread, Estimated, Entered }: EnergyOrigin, quarters: OriginQuarters | null) {
  const rows = [
    { key: 'measured', wh: Wh === null ? null : Wh - Spread - Estimated - Entered, count: quarters?.Measured ?? null },
    { key: 'spread', wh: Spread, count: quarters?.Spread ?? null },
    { key: 'estimated', wh: Estimated, count: quarters?.Estimated ?? null },
    { key: 'entered', wh: Entered, count: quarters?.Entered ?? null },
    { key: 'missing', wh: null, count: quarters?.Missing ?? null },
    { key: 'open', wh: null, count: quarters?.Open ?? null },
  ] as const
  return rows.filter(({ wh, count }) => (count ?? 0) > 0 || (count === null && wh !== null && wh !== 0))
}

/** Why registers and quarters do not say the same; null: they do, or one of the two is not known. */
export function whyApart(wh: number | null, { RegisterWh, Quarters }: Pick<OriginLine, 'RegisterWh' | 'Quarters'>) {
  if (wh === null || RegisterWh === null || wh === RegisterWh) return null
  if (Quarters.Entered + Quarters.Estimated > 0) return 'whyEntered'
  if (Quarters.Missing > 0) return 'whyMissing'
  return Quarters.Open > 0 ? 'whyOpen' : 'whyReset'
}
