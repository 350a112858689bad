import type { TestDue } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import { lineDrawer } from '../../paths.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { dayOf, dayTime } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import type { TableColumn } from '../../ui/table-column.ts'

/** A line, its last test, and when the next is due. `mayLook`: its name leads to it. */
export function testsDueColumns(
  t: TFunction<['safety', 'operations', 'app']>,
  mayLook: boolean,
): readonly TableColumn<TestDue>[] {
  const result = ({ LastResult, UnknownAt }: TestDue) => {
    const last = LastResult === null ? t('operations:neverTested') : t(`operations:${LastResult}`)
    return UnknownAt === null ? last : `${last} · ${t('testUnknown', { at: dayTime(UnknownAt) })}`
  }
  return [
    {
      key: 'line',
      head: t('app:line'),
      cell: ({ LineName, HouseID, LineID }) => (
        <>
          <LineTag lineId={LineID} /> {mayLook ? <Link to={lineDrawer(HouseID, LineID)}>{LineName}</Link> : LineName}
        </>
      ),
      text: ({ LineName }) => LineName,
    },
    { key: 'project', head: t('app:project'), cell: ({ HouseName }) => HouseName, text: ({ HouseName }) => HouseName },
    {
      key: 'last',
      head: t('lastTest'),
      cell: ({ LastAt }) => (LastAt === null ? '–' : dayTime(LastAt)),
      text: ({ LastAt }) => (LastAt === null ? null : new Date(LastAt).toISOString()),
    },
    {
      key: 'result',
      head: t('app:result'),
      cell: (row) => <span className={row.LastResult === 'failed' ? 'test-failed' : undefined}>{result(row)}</span>,
      text: result,
    },
    {
      key: 'tripMs',
      head: t('tripTime'),
      end: true,
      cell: ({ LastTripMs }) => (LastTripMs === null ? '–' : `${LastTripMs} ms`),
      text: ({ LastTripMs }) => LastTripMs,
    },
    {
      key: 'due',
      head: t('due'),
      cell: ({ DueAt, Overdue }) => (
        <span className={Overdue ? 'test-due' : undefined}>
          {Overdue && <Mark kind="warning" />}
          {DueAt === null ? (Overdue ? t('dueNow') : '–') : dayOf(new Date(DueAt))}
          {Overdue && DueAt !== null && ` · ${t('overdue')}`}
        </span>
      ),
      text: ({ DueAt }) => (DueAt === null ? null : new Date(DueAt).toISOString()),
    },
  ]
}
