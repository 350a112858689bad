import type { ReportScope, ZoneClock } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../access/actor.ts'
import type { Plant, PlantProject } from '../plant/plant.ts'
import type { TableRow } from '../tables/table.ts'
import type { ReportAsked, ReportMade } from './report-source.ts'
import { inLanguage } from './table-file.ts'

/** Rows of a list in the mail itself; the file has all of them. */
export const rowsInMail = 60

/** Throws Refusal where the gateway that is named is not of the project, or the actor does not see it. */
export function requireGateway(
  { gateways }: Pick<Plant, 'gateways'>,
  actor: Actor,
  project: PlantProject,
  { DeviceID }: ReportScope,
): void {
  if (DeviceID === undefined) return
  const gateway = gateways.get(DeviceID)
  if (gateway?.project !== project || !actor.seesGateway(gateway)) throw new Refusal('device not exists')
}

/** Some columns of a list's file, as they stand in the mail itself. `places`: which of them, 0 is the time; the note is the last. */
export function mailTable(
  { language }: Pick<ReportAsked, 'language'>,
  {
    columns,
    places,
    rows,
    zone,
  }: {
    readonly columns: readonly Text[]
    readonly places: readonly number[]
    readonly rows: readonly TableRow[]
    readonly zone: ZoneClock
  },
): NonNullable<ReportMade['table']> {
  return {
    columns: places.flatMap((place) => columns[place] ?? []).map((each) => inLanguage(each, language)),
    rows: rows.slice(0, rowsInMail).map(({ at, values, note }) => {
      const cells = [zone.text(at).slice(0, 19), ...values, note]
      return places.map((place) => String(cells[place] ?? ''))
    }),
  }
}

/** A file of a list has two formats. */
export const listFormat = ({ format }: Pick<ReportAsked, 'format'>): 'csv' | 'xlsx' => (format === 'csv' ? 'csv' : 'xlsx')
