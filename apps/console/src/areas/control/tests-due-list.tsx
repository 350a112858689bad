import type { Project, TestDue } from '@linewarden/contract'
import { testsDue } from '@linewarden/contract'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { hasFailed } from '../../app/net/combined-query.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { WaitingDialog } from '../../app/net/waiting-dialog.tsx'
import { useMay, useMayOpen } from '../../app/session/use-may.ts'
import { lineDrawer, paths } from '../../paths.ts'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { SearchField } from '../../ui/fields.tsx'
import { dayOf, dayTime } from '../../ui/format.ts'
import { useListState } from '../../ui/list-state.ts'
import { Mark } from '../../ui/mark.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { RunDialog } from './run-dialog.tsx'

const filters = ['name'] as const
/** The server takes no more lines in one run. */
const maxLines = 500

/** Every line that can be tested, the most overdue first; the chosen ones are tested, or given a plan. */
export function TestsDueList({
  project,
  houseIds,
  overdueOnly,
}: {
  project: Project | null
  houseIds: readonly number[]
  overdueOnly: boolean
}) {
  const { t } = useTranslation('safety')
  const list = useListState(filters)
  const may = useMay('lineSwitch')
  const mayLook = useMayOpen(paths.realtime)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<'test' | 'plan' | 'planAll' | null>(null)
  const name = list.filter('name').trim().toLowerCase()
  const query = { ...(project && { HouseID: project.HouseID }), ...(overdueOnly && { Overdue: true }) }
  const everyMs = 15_000
  const found = useRows(testsDue, { query }, { everyMs })
  const shown = (found.data?.items ?? []).filter(
    ({ LineName, HouseID }) => LineName.toLowerCase().includes(name) && houseIds.includes(HouseID),
  )
  const rows = {
    ...found,
    data: found.data && { items: shown.slice((list.page - 1) * list.size, list.page * list.size), total: shown.length },
  }
  // What is needed to operate the chosen lines comes with their projects.
  const wanted = open === null ? '' : [...new Set(shown.map(({ HouseID }) => HouseID))].join()
  const { projects, lacking } = useProjects(useMemo(() => (wanted === '' ? [] : wanted.split(',').map(Number)), [wanted]))
  const lineRef = useLineRefs(projects)
  const ids = new Set(open === 'planAll' ? shown.map(({ LineID }) => String(LineID)) : chosen)
  const lines = lineRef.filter(({ line }) => ids.has(String(line.LineID)))
  const isReady = open !== null && !lacking && lines.length > 0
  const close = () => setOpen(null)
  const result = ({ LastResult, UnknownAt }: TestDue) => {
    const last = LastResult === null ? t('never') : t(LastResult)
    return UnknownAt === null ? last : `${last} · ${t('testUnknown', { at: dayTime(UnknownAt) })}`
  }
  const columns: readonly TableColumn<TestDue>[] = [
    {
      key: 'line',
      head: t('line'),
      cell: ({ LineName, HouseID, LineID }) => (mayLook ? <Link to={lineDrawer(HouseID, LineID)}>{LineName}</Link> : LineName),
      text: ({ LineName }) => LineName,
    },
    { key: 'project', head: t('project'), cell: ({ HouseName }) => HouseName, text: ({ HouseName }) => HouseName },
    {
      key: 'last',
      head: t('lastTest'),
      cell: ({ LastAt }) => (LastAt === null ? '–' : dayTime(LastAt)),
      text: ({ LastAt }) => (LastAt === null ? null : new Date(LastAt).toISOString()),
    },
    {
      key: 'result',
      head: t('result'),
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
  return (
    <>
      <QueryTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowKey={({ LineID }) => String(LineID)}
        list={list}
        {...(may && { selection: { keys: chosen, onChange: setChosen } })}
        filters={
          <SearchField label={t('line')} value={list.filter('name')} onChange={(value) => list.setFilter('name', value)} />
        }
        actions={
          may && project && !overdueOnly && shown.length > 0 ? (
            <button type="button" className="btn" onClick={() => setOpen('planAll')}>
              {t('planProject')}
            </button>
          ) : undefined
        }
        below={
          <SelectionBar keys={chosen} onClear={() => setChosen(new Set())}>
            <button type="button" className="btn primary" disabled={chosen.size > maxLines} onClick={() => setOpen('test')}>
              {t('test')}
            </button>
            <button type="button" className="btn" onClick={() => setOpen('plan')}>
              {t('plan')}
            </button>
          </SelectionBar>
        }
        empty={overdueOnly ? { title: t('noneOverdue'), hint: t('noneOverdueHint') } : { title: t('noneTestable') }}
        fetchPage={async (page, size) => ({ items: shown.slice((page - 1) * size, page * size), total: shown.length })}
        exportName={t('title')}
      />
      {open !== null && lacking && hasFailed(lacking) && (
        <WaitingDialog title={open === 'test' ? t('test') : t('plan')} query={lacking} onClose={close} />
      )}
      {isReady && open === 'test' && <RunDialog title={t('test')} lines={lines} only="selfTest" onClose={close} />}
      {isReady && open !== 'test' && (
        <PlanDialog
          title={
            lines.length === 1 ? t('planOne', { name: lines[0]?.line.LineName ?? '' }) : t('planMany', { count: lines.length })
          }
          lines={lines}
          present={null}
          onClose={close}
        />
      )}
    </>
  )
}
