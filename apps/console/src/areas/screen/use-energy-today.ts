import type { Project } from '@linewarden/contract'
import { getEnergy } from '@linewarden/contract'
import { useQueries } from '@tanstack/react-query'
import { queryOf } from '../../app/net/use-call.ts'
import { serverNow, useByNow } from '../../ui/use-now.ts'
import type { EnergyToday } from './energy-today.ts'
import { civilDay, summed } from './energy-today.ts'

/** Quarters are made every few minutes. */
const everyMs = 300_000

/** What projects used today, together. */
export function useEnergyToday(projects: readonly Project[]): EnergyToday {
  const days = useByNow((now) => projects.map(({ TimeZone }) => civilDay(now, TimeZone)).join())
  return useQueries({
    queries: projects.map(({ HouseID, TimeZone }, at) => {
      const From = days.split(',')[at] ?? civilDay(serverNow(), TimeZone)
      const To = new Date(Date.parse(`${From}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
      const query = { HouseID, Unit: 'day', From, To, Compare: 'previous' } as const
      return { ...queryOf(getEnergy, { query }), refetchInterval: everyMs }
    }),
    combine: (results) =>
      summed(
        results.map(({ data }) => ({
          wh: data?.Total.Wh ?? null,
          lacks: (data?.Total.LackingS ?? 1) > 0,
          change: data?.Compared?.Change ?? null,
        })),
      ),
  })
}
