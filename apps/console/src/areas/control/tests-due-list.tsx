import type { Project, TestDue } from '@linewarden/contract'
import { testsDue } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRows } from '../../app/net/use-rows.ts'
import { useMay, useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { SearchField } from '../../ui/fields.tsx'
import { useListState } from '../../ui/list-state.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { useChosen } from '../../ui/use-chosen.ts'
import { ChosenTestsDialog } from './chosen-tests-dialog.tsx'
import { testsDueColumns } from './tests-due-columns.tsx'

const filters = ['name'] as const
/** The server takes no more lines in one group operation. */
const maxLines = 500
const rowKey = ({ LineID }: TestDue) => String(LineID)

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
  const { t } = useTranslation(['safety', 'app'])
  const list = useListState(filters)
  const may = useMay('lineSwitch')
  const mayLook = useMayOpen(paths.realtime)
  // The rows as they were when it was opened: what the list loses meanwhile stays in the dialog.
  const [open, setOpen] = useState<{ readonly what: 'test' | 'plan'; readonly rows: readonly TestDue[] } | null>(null)
  const name = list.filter('name').trim().toLowerCase()
  const query = { ...(project && { HouseID: project.HouseID }), ...(overdueOnly && { Overdue: true }) }
  const everyMs = 15_000
  const found = useRows(testsDue, { query }, { everyMs })
  const chosen = useChosen(found.data?.items, rowKey)
  const shown = (found.data?.items ?? []).filter(
    ({ LineName, HouseID }) => LineName.toLowerCase().includes(name) && houseIds.includes(HouseID),
  )
  const rows = {
    ...found,
    data: found.data && { items: shown.slice((list.page - 1) * list.size, list.page * list.size), total: shown.length },
  }
  return (
    <>
      <QueryTable
        label={t('title')}
        columns={testsDueColumns(t, mayLook)}
        rows={rows}
        rowKey={rowKey}
        list={list}
        {...(may && { selection: chosen.selection })}
        filters={
          <SearchField label={t('app:line')} value={list.filter('name')} onChange={(value) => list.setFilter('name', value)} />
        }
        actions={
          may && project && !overdueOnly && shown.length > 0 ? (
            <button type="button" className="btn" onClick={() => setOpen({ what: 'plan', rows: shown })}>
              {t('planProject')}
            </button>
          ) : undefined
        }
        below={
          <SelectionBar keys={chosen.selection.keys} onClear={chosen.clear}>
            <button
              type="button"
              className="btn primary"
              disabled={chosen.rows.length > maxLines}
              onClick={() => setOpen({ what: 'test', rows: chosen.rows })}
            >
              {t('test')}
            </button>
            <button type="button" className="btn" onClick={() => setOpen({ what: 'plan', rows: chosen.rows })}>
              {t('plan')}
            </button>
          </SelectionBar>
        }
        empty={overdueOnly ? { title: t('noneOverdue'), hint: t('noneOverdueHint') } : { title: t('noneTestable') }}
        fetchPage={async (page, size) => ({ items: shown.slice((page - 1) * size, page * size), total: shown.length })}
        exportName={t('title')}
      />
      {open !== null && <ChosenTestsDialog {...open} onClose={() => setOpen(null)} />}
    </>
  )
}
