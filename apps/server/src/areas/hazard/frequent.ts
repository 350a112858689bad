import type { Analysis } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Ranked } from '@linewarden/rules/hazard'
import { causeOf, rank } from '@linewarden/rules/hazard'
import type { Plant } from '../../plant/plant.ts'
import type { Frequent, RaisedRow, Site } from '../../store/hazard/analysis.ts'
import type { NewestRow } from '../../store/hazard/around.ts'
import { tunableOf } from '../alarm/tunable.ts'
import { placeIn } from './place.ts'

const figures = ({ count, share, cumulated }: Ranked<unknown>) => ({ Count: count, Share: share, Cumulated: cumulated })

/** What is raised most often: by alarm and place, by line, by alarm, by cause, by project, by model. */
export function frequentOf(
  plant: Plant,
  { frequent, newest }: { readonly frequent: Frequent; readonly newest: readonly NewestRow[] },
  labelOf: (key: string) => Text,
): Analysis['Frequent'] {
  const { worst, sites, keys, total } = frequent
  const modelOf = (row: Site): string | null => {
    const device = plant.lines.get(row.line_id)?.device ?? plant.devices.get(row.device_id)
    return device ? `${device.family.key}|${device.model}` : null
  }
  const tuneEventId = ({ line_id, key }: RaisedRow): string | null => {
    const found = newest.find((each) => each.line_id === line_id && each.key === key)
    return found && typeof tunableOf(plant, found) !== 'string' ? found.event_id : null
  }
  const lines = new Map(sites.map((row) => [row.line_id, row]))
  return {
    Places: rank(
      worst.map((row) => [row, row.raised] as const),
      { total: total.raised },
    ).map((each) => ({
      Key: each.of.key,
      Label: labelOf(each.of.key),
      ...placeIn(plant, each.of),
      ...figures(each),
      TuneEventID: tuneEventId(each.of),
    })),
    Lines: rankBy(sites, ({ line_id }) => line_id || null).flatMap((each) => {
      const row = lines.get(each.of)
      return row ? [{ ...placeIn(plant, row), ...figures(each) }] : []
    }),
    Keys: rankBy(keys, ({ key }) => key).map((each) => ({ Key: each.of, Label: labelOf(each.of), ...figures(each) })),
    Causes: rankBy(keys, ({ key }) => causeOf(key)).map((each) => ({
      Cause: each.of,
      Keys: [...new Set(keys.flatMap(({ key, raised }) => (raised > 0 && causeOf(key) === each.of ? [key] : [])))].sort(),
      ...figures(each),
    })),
    Projects: rankBy(sites, (row) => placeIn(plant, row).HouseID).map((each) => ({
      HouseID: each.of,
      Name: plant.projects.get(each.of)?.name ?? '',
      ...figures(each),
    })),
    Models: rankBy(sites, modelOf).map((each) => {
      const [Family = '', Model = ''] = each.of.split('|')
      return { Family, Model, ...figures(each) }
    }),
  }
}

function rankBy<R extends { readonly raised: number }, K>(rows: readonly R[], keyOf: (row: R) => K | null): Ranked<K>[] {
  const counts = new Map<K, number>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + row.raised)
  }
  return rank(counts)
}
