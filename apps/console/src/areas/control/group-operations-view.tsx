import type { GroupOperationSummary } from '@linewarden/contract'
import { actorName, listRuns } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { FilterSelect } from '../../ui/fields.tsx'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { useListState } from '../../ui/list-state.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { GroupOperationProgressDialog } from './group-operation-progress.tsx'

const everyMs = 5_000
const actor = ({ Actor }: GroupOperationSummary) => localised(actorName(Actor))
const countKeys = ['Waiting', 'Ordered', 'Refused', 'Missed', 'Stopped'] as const

/** Group operations and campaigns of self-tests, also those that run now: whoever left one finds it here, and stops it. */
export function GroupOperationsView() {
  const { t } = useTranslation(['operations', 'control', 'app'])
  const list = useListState(['running'])
  const [open, setOpen] = useState<string | null>(null)
  const running = list.filter('running') === 'yes'
  const requestOf = (Page: number, Size: number) => ({ query: { Page, Size, ...(running && { Running: true }) } })
  const rows = useRows(listRuns, requestOf(list.page, list.size), { everyMs })
  const counts = (operation: GroupOperationSummary) =>
    countKeys
      .filter((key) => operation[key] > 0)
      .map((key) => `${t(`runCounts.${key}`)} ${operation[key]}`)
      .join(' · ')
  const ended = ({ EndedAt, StoppedBy }: GroupOperationSummary) => {
    if (EndedAt === null) return t('runRuns')
    return StoppedBy === null
      ? clockTime(EndedAt)
      : t('runStoppedBy', { at: clockTime(EndedAt), who: localised(actorName(StoppedBy)) })
  }
  const columns: readonly TableColumn<GroupOperationSummary>[] = [
    {
      key: 'StartedAt',
      head: t('app:time'),
      cell: ({ StartedAt }) => clockTime(StartedAt),
      text: ({ StartedAt }) => new Date(StartedAt).toISOString(),
    },
    {
      key: 'Action',
      head: t('action'),
      cell: ({ Action }) => t(`control:${Action}`),
      text: ({ Action }) => t(`control:${Action}`),
    },
    { key: 'Actor', head: t('person'), cell: actor, text: actor },
    { key: 'Reason', head: t('app:reason'), cell: ({ Reason }) => Reason, text: ({ Reason }) => Reason },
    { key: 'Total', head: t('runTotal'), end: true, cell: ({ Total }) => Total, text: ({ Total }) => String(Total) },
    { key: 'counts', head: t('runLines'), cell: counts, text: counts },
    { key: 'EndedAt', head: t('runEnded'), cell: ended, text: ended },
  ]
  return (
    <>
      <QueryTable
        label={t('views.runs')}
        columns={columns}
        rows={rows}
        rowKey={({ RunID }) => RunID}
        list={list}
        filters={
          <FilterSelect
            label={t('anyRun')}
            value={list.filter('running')}
            options={[{ value: 'yes', label: t('runRuns') }]}
            onChange={(value) => list.setFilter('running', value)}
          />
        }
        rowActions={({ RunID }) => (
          <button type="button" className="btn small quiet" onClick={() => setOpen(RunID)}>
            {t('runOpen')}
          </button>
        )}
        empty={{ title: t('noRuns') }}
        fetchPage={(page, size) => api.call(listRuns, requestOf(page, size))}
        exportName={t('views.runs')}
      />
      {open && <GroupOperationProgressDialog operationId={open} title={t('run')} onClose={() => setOpen(null)} />}
    </>
  )
}
